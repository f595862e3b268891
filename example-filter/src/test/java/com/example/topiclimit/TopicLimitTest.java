package com.example.topiclimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.filter.Answer;
import dev.sluice.filter.Exchange;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Forward;
import dev.sluice.filter.Inquirer;
import dev.sluice.filter.RequestHeader;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.Settings;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class TopicLimitTest {

  private static final short VERSION = 7;
  private static final FilterFactory FACTORY =
      ServiceLoader.load(FilterFactory.class).findFirst().orElseThrow();

  @Test
  void topics_are_created_as_long_as_there_is_room() {
    assertThat(verdictAt(1)).isInstanceOf(Forward.class);
  }

  @Test
  void what_would_be_too_many_is_refused_by_name() {
    var answer = (CreateTopicsResponseData) ((Answer) verdictAt(2)).response();
    var topic = answer.topics().find("new");
    assertThat(topic.errorCode()).isEqualTo(Errors.POLICY_VIOLATION.code());
    assertThat(topic.errorMessage()).isEqualTo("expected at most 2 topics, found 2");
  }

  @Test
  void only_the_creation_of_topics_is_wanted() {
    var wanted = new TopicLimit(2, Inquirer.NOBODY).wanted();
    assertThat(wanted.request(ApiKeys.CREATE_TOPICS.id, VERSION)).isTrue();
    assertThat(wanted.response(ApiKeys.CREATE_TOPICS.id, VERSION)).isFalse();
    assertThat(wanted.request(ApiKeys.PRODUCE.id, VERSION)).isFalse();
  }

  @Test
  void a_negative_limit_is_refused() {
    assertThatThrownBy(() -> Settings.of(FACTORY.settings(), Map.of("maxTopics", -1L)))
        .hasMessageContaining("a number of topics, from 0 on");
  }

  /** What becomes of a request for one topic, at most 2 allowed, when so many are there. */
  private static RequestVerdict verdictAt(int there) {
    var settings = Settings.of(FACTORY.settings(), Map.of("maxTopics", 2L));
    Inquirer cluster = (_, _) -> CompletableFuture.completedStage(metadata(there));
    try (var filter = FACTORY.create(settings, new FilterScope("limit", "orders", 1, cluster))) {
      var exchange =
          new Exchange(
              new RequestHeader(ApiKeys.CREATE_TOPICS.id, VERSION, 1, "an-admin"),
              new InetSocketAddress("127.0.0.1", 1));
      var request = new CreateTopicsRequestData();
      request.topics().add(new CreatableTopic().setName("new"));
      return filter.onRequest(exchange, request).toCompletableFuture().join();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static MetadataResponseData metadata(int topics) {
    var metadata = new MetadataResponseData();
    metadata.topics().add(new MetadataResponseTopic().setName("__offsets").setIsInternal(true));
    for (int i = 0; i < topics; i++) {
      metadata.topics().add(new MetadataResponseTopic().setName("t" + i));
    }
    return metadata;
  }
}
