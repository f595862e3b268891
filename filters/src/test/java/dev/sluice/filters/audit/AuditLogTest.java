package dev.sluice.filters.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.filter.Exchange;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Forward;
import dev.sluice.filter.RequestHeader;
import dev.sluice.filter.Settings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class AuditLogTest {

  private static final InetSocketAddress CLIENT = InetSocketAddress.createUnresolved("client", 1);
  private static final RequestHeader HEADER =
      new RequestHeader(ApiKeys.CREATE_TOPICS.id, (short) 7, 42, "admin-1");

  private final List<AuditLine> lines = new ArrayList<>();
  private final AuditLog log = new AuditLog(EnumSet.of(ApiKeys.CREATE_TOPICS), lines::add);

  @Test
  void who_asks_for_what_and_what_comes_of_it_are_written_down() {
    var exchange = new Exchange(HEADER, CLIENT);
    var request = new CreateTopicsRequestData();
    request.topics().add(new CreatableTopic().setName("orders"));
    request.topics().add(new CreatableTopic().setName("payments"));
    assertThat(log.onRequest(exchange, request).toCompletableFuture().join())
        .isEqualTo(new Forward(request));
    var response = new CreateTopicsResponseData();
    response.topics().add(new CreatableTopicResult().setName("orders"));
    response
        .topics()
        .add(
            new CreatableTopicResult()
                .setName("payments")
                .setErrorCode(Errors.TOPIC_ALREADY_EXISTS.code()));
    assertThat(log.onResponse(exchange, response).toCompletableFuture().join())
        .isEqualTo(new Forward(response));
    assertThat(lines)
        .containsExactly(
            new AuditLine.Asked(HEADER, CLIENT, List.of("orders", "payments")),
            new AuditLine.Answered(HEADER, CLIENT, Map.of("NONE", 1, "TOPIC_ALREADY_EXISTS", 1)));
  }

  @Test
  void keys_of_configurations_are_told_and_values_are_not() {
    var resource =
        new AlterConfigsResource()
            .setResourceType(ConfigResource.Type.BROKER.id())
            .setResourceName("1");
    resource.configs().add(new AlterableConfig().setName("ssl.key.password").setValue("secret"));
    var request = new IncrementalAlterConfigsRequestData();
    request.resources().add(resource);
    assertThat(AuditedNames.of(request)).containsExactly("BROKER 1 ssl.key.password");
  }

  @Test
  void a_line_has_a_bound() {
    var request = new CreateTopicsRequestData();
    for (int i = 0; i < 100; i++) {
      request.topics().add(new CreatableTopic().setName("t" + i));
    }
    assertThat(AuditedNames.of(request)).hasSize(AuditedNames.MAX_NAMES);
  }

  @Test
  void only_what_is_named_is_wanted_and_names_are_checked() {
    var factory = new AuditLogFactory();
    var settings = Settings.of(factory.settings(), Map.of("apis", List.of("Metadata")));
    var wanted = factory.create(settings, new FilterScope("audit", "orders", 1)).wanted();
    assertThat(wanted.request(ApiKeys.METADATA.id, (short) 12)).isTrue();
    assertThat(wanted.request(ApiKeys.CREATE_TOPICS.id, (short) 7)).isFalse();
    assertThatThrownBy(
            () -> Settings.of(factory.settings(), Map.of("apis", List.of("CreateTopic"))))
        .hasMessageContaining("names of APIs, such as CreateTopics");
  }
}
