package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An acknowledgement that a broker may not take names the leader. A broker says so when the offsets
 * of the group were altered since it gave the records out: then what it knows of them is fenced.
 */
@ExtendWith(KafkaCluster.class)
class ShareAcknowledgeIT {

  private static final byte ACCEPT = 1;

  private final String member = Uuid.randomUuid().toString();

  @TestFactory
  Stream<DynamicTest> who_acknowledges_in_vain_is_led_to_the_leader_at_the_gateway(
      EmbeddedCluster kafka) {
    return IntStream.rangeClosed(
            Apis.oldest(ApiKeys.SHARE_ACKNOWLEDGE.id), Apis.newest(ApiKeys.SHARE_ACKNOWLEDGE.id))
        .mapToObj(
            version ->
                DynamicTest.dynamicTest(
                    "version " + version,
                    () -> {
                      try (var proxy = RunningProxy.inFrontOf(kafka, "orders")) {
                        acknowledgeInVain(proxy, (short) version);
                      }
                    }));
  }

  private void acknowledgeInVain(RunningProxy proxy, short version) throws Exception {
    var clients = new Clients(proxy.bootstrapServers("orders"));
    var topic = clients.topic();
    var group = "shared-" + topic;
    makeGroup(clients, group, topic);
    try (var producer = clients.producer(Map.of());
        var admin = clients.admin()) {
      Clients.produce(producer, topic, 10);
      var described = done(admin.describeTopics(List.of(topic)).allTopicNames());
      var description = Objects.requireNonNull(described.get(topic));
      var leader = description.partitions().getFirst().leader().id();
      try (var raw = new RawClient(node(proxy, leader))) {
        long offset = fetchOne(raw, group, description.topicId());
        alterOffsets(admin, group, new TopicPartition(topic, 0));

        var answer = acknowledge(raw, group, description.topicId(), offset, version);

        assertThat(answer.nodeEndpoints())
            .as("%s", answer)
            .singleElement()
            .satisfies(
                named -> {
                  assertThat(named.nodeId()).isEqualTo(leader);
                  assertThat(named.port()).isEqualTo(node(proxy, leader).port());
                });
      }
    }
  }

  /** A group begins with what is written after it was made: something is until it comes. */
  private static void makeGroup(Clients clients, String group, String topic) {
    try (var consumer = clients.shareConsumer(group);
        var producer = clients.producer(Map.of())) {
      consumer.subscribe(List.of(topic));
      await()
          .atMost(Clients.PATIENCE)
          .until(
              () -> {
                Clients.produce(producer, topic, 10);
                return !consumer.poll(Duration.ofSeconds(1)).isEmpty();
              });
    }
  }

  /** A broker that has just begun with a group may answer that it has nothing yet. */
  private long fetchOne(RawClient raw, String group, Uuid topic) {
    return await()
        .atMost(Clients.PATIENCE)
        .until(() -> acquired(raw, group, topic), offsets -> !offsets.isEmpty())
        .getFirst();
  }

  /** Begins a session of its own. */
  private List<Long> acquired(RawClient raw, String group, Uuid topic) throws IOException {
    var request =
        new ShareFetchRequestData()
            .setGroupId(group)
            .setMemberId(member)
            .setShareSessionEpoch(0)
            .setMaxWaitMs(10_000)
            .setMinBytes(1)
            .setMaxBytes(1024 * 1024)
            .setMaxRecords(1)
            .setBatchSize(1);
    var partition = new ShareFetchRequestData.FetchPartition().setPartitionIndex(0);
    var asked = new ShareFetchRequestData.FetchTopic().setTopicId(topic);
    asked.partitions().add(partition);
    request.topics().add(asked);
    var answer = (ShareFetchResponseData) raw.ask(request, Apis.newest(ApiKeys.SHARE_FETCH.id));
    return answer.responses().stream()
        .flatMap(one -> one.partitions().stream())
        .flatMap(one -> one.acquiredRecords().stream())
        .map(acquired -> acquired.firstOffset())
        .toList();
  }

  private static void alterOffsets(
      org.apache.kafka.clients.admin.Admin admin, String group, TopicPartition partition) {
    await()
        .atMost(Clients.PATIENCE)
        .ignoreExceptionsInstanceOf(ExecutionException.class) // The consumer is still leaving.
        .until(
            () -> {
              done(admin.alterShareGroupOffsets(group, Map.of(partition, 0L)).all());
              return true;
            });
  }

  private ShareAcknowledgeResponseData acknowledge(
      RawClient raw, String group, Uuid topic, long offset, short version) throws IOException {
    var batch =
        new ShareAcknowledgeRequestData.AcknowledgementBatch()
            .setFirstOffset(offset)
            .setLastOffset(offset)
            .setAcknowledgeTypes(List.of(ACCEPT));
    var partition =
        new ShareAcknowledgeRequestData.AcknowledgePartition()
            .setPartitionIndex(0)
            .setAcknowledgementBatches(List.of(batch));
    var acknowledged = new ShareAcknowledgeRequestData.AcknowledgeTopic().setTopicId(topic);
    acknowledged.partitions().add(partition);
    var request =
        new ShareAcknowledgeRequestData()
            .setGroupId(group)
            .setMemberId(member)
            .setShareSessionEpoch(1);
    request.topics().add(acknowledged);
    var answer = (ShareAcknowledgeResponseData) raw.ask(request, version);
    assertThat(answer.responses().stream().flatMap(one -> one.partitions().stream()))
        .as("%s", answer)
        .allMatch(one -> one.errorCode() == Errors.NOT_LEADER_OR_FOLLOWER.code());
    return answer;
  }

  private static Endpoint node(RunningProxy proxy, int id) {
    var gateway = proxy.proxy().virtualCluster("orders").orElseThrow().spec().gateways().getFirst();
    return new Endpoint("127.0.0.1", gateway.nodeStartPort() + id - 1);
  }
}
