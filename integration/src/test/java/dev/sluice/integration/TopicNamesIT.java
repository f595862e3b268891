package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.EmbeddedCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The roller lists topics as what can be configured: a topic that is left out is not protected. */
@ExtendWith(KafkaCluster.class)
class TopicNamesIT {

  @Test
  void what_can_be_configured_names_every_topic(EmbeddedCluster kafka) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      var topic = new NewTopic("configured-by-nobody", 1, (short) 3);
      done(admin.createTopics(List.of(topic)).all());
      Clients.awaitEverywhere(admin, "configured-by-nobody");

      var all = done(admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
      var configurable =
          done(
                  admin
                      .listConfigResources(
                          Set.of(ConfigResource.Type.TOPIC), new ListConfigResourcesOptions())
                      .all())
              .stream()
              .map(ConfigResource::name)
              .collect(Collectors.toSet());

      assertThat(configurable).contains("configured-by-nobody").containsAll(all);
    }
  }
}
