package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Java client through the proxy. */
@ExtendWith(KafkaCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaClientIT {

  private RunningProxy proxy;

  @BeforeAll
  void start(EmbeddedCluster kafka) {
    proxy = RunningProxy.inFrontOf(kafka, "orders");
  }

  @AfterAll
  void stop() {
    proxy.close();
  }

  @Test
  void what_is_produced_is_consumed() throws Exception {
    var topic = "t-" + UUID.randomUUID();
    var bootstrap = proxy.bootstrapServers("orders");
    try (var admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
      admin
          .createTopics(List.of(new NewTopic(topic, 3, (short) 3)))
          .all()
          .get(30, TimeUnit.SECONDS);
      var nodes = admin.describeCluster().nodes().get(30, TimeUnit.SECONDS);
      assertThat(nodes).hasSize(3).allMatch(node -> node.host().equals("127.0.0.1"));
    }
    try (var producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap),
            new StringSerializer(),
            new StringSerializer())) {
      for (int i = 0; i < 1000; i++) {
        var _ = producer.send(new ProducerRecord<>(topic, "k" + i, "v" + i));
      }
      producer.flush();
    }
    var values = new ArrayList<String>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap,
                ConsumerConfig.GROUP_ID_CONFIG, topic,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (values.size() < 1000 && System.nanoTime() < until) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
      }
    }
    assertThat(values).hasSize(1000).doesNotHaveDuplicates();
  }
}
