package dev.sluice.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** Random responses that may name end points, of Kafka's own classes. */
final class Skimmed {

  /** An end point as all four responses have it. */
  record Node(int id, String host, int port, @Nullable String rack) {}

  private final RandomGenerator random;
  private final int maxRecordBytes;

  Skimmed(RandomGenerator random, int maxRecordBytes) {
    this.random = random;
    this.maxRecordBytes = maxRecordBytes;
  }

  static List<ApiKeys> keys() {
    return List.of(ApiKeys.PRODUCE, ApiKeys.FETCH, ApiKeys.SHARE_FETCH, ApiKeys.SHARE_ACKNOWLEDGE);
  }

  static List<Short> versions(ApiKeys key) {
    return key.allVersions().stream()
        .filter(version -> Apis.responseTreatment(key.id, version) == ApiTreatment.SKIMMED)
        .toList();
  }

  ApiMessage response(ApiKeys key, short version, List<Node> nodes) {
    var message =
        switch (key) {
          case PRODUCE -> produce(version);
          case FETCH -> fetch(version);
          case SHARE_FETCH -> shareFetch();
          case SHARE_ACKNOWLEDGE -> shareAcknowledge(version);
          default -> throw new IllegalArgumentException(key.name);
        };
    nodes.forEach(node -> add(message, node));
    return message;
  }

  static void clear(ApiMessage message) {
    switch (message) {
      case ProduceResponseData m -> m.nodeEndpoints().clear();
      case FetchResponseData m -> m.nodeEndpoints().clear();
      case ShareFetchResponseData m -> m.nodeEndpoints().clear();
      case ShareAcknowledgeResponseData m -> m.nodeEndpoints().clear();
      default -> throw new IllegalArgumentException(message.toString());
    }
  }

  static List<Node> nodes(ApiMessage message) {
    return switch (message) {
      case ProduceResponseData m ->
          m.nodeEndpoints().valuesList().stream()
              .map(n -> new Node(n.nodeId(), n.host(), n.port(), n.rack()))
              .toList();
      case FetchResponseData m ->
          m.nodeEndpoints().valuesList().stream()
              .map(n -> new Node(n.nodeId(), n.host(), n.port(), n.rack()))
              .toList();
      case ShareFetchResponseData m ->
          m.nodeEndpoints().valuesList().stream()
              .map(n -> new Node(n.nodeId(), n.host(), n.port(), n.rack()))
              .toList();
      case ShareAcknowledgeResponseData m ->
          m.nodeEndpoints().valuesList().stream()
              .map(n -> new Node(n.nodeId(), n.host(), n.port(), n.rack()))
              .toList();
      default -> throw new IllegalArgumentException(message.toString());
    };
  }

  private static void add(ApiMessage message, Node node) {
    switch (message) {
      case ProduceResponseData m ->
          m.nodeEndpoints()
              .add(
                  new ProduceResponseData.NodeEndpoint()
                      .setNodeId(node.id)
                      .setHost(node.host)
                      .setPort(node.port)
                      .setRack(node.rack));
      case FetchResponseData m ->
          m.nodeEndpoints()
              .add(
                  new FetchResponseData.NodeEndpoint()
                      .setNodeId(node.id)
                      .setHost(node.host)
                      .setPort(node.port)
                      .setRack(node.rack));
      case ShareFetchResponseData m ->
          m.nodeEndpoints()
              .add(
                  new ShareFetchResponseData.NodeEndpoint()
                      .setNodeId(node.id)
                      .setHost(node.host)
                      .setPort(node.port)
                      .setRack(node.rack));
      case ShareAcknowledgeResponseData m ->
          m.nodeEndpoints()
              .add(
                  new ShareAcknowledgeResponseData.NodeEndpoint()
                      .setNodeId(node.id)
                      .setHost(node.host)
                      .setPort(node.port)
                      .setRack(node.rack));
      default -> throw new IllegalArgumentException(message.toString());
    }
  }

  private ProduceResponseData produce(short version) {
    var message = new ProduceResponseData().setThrottleTimeMs(random.nextInt());
    for (var t = random.nextInt(4); t > 0; t--) {
      var topic = new ProduceResponseData.TopicProduceResponse();
      topic =
          version >= 13
              ? topic.setTopicId(new Uuid(t, random.nextLong()))
              : topic.setName("t" + t + text(300));
      topic.setPartitionResponses(some(9, this::producePartition));
      message.responses().add(topic);
    }
    return message;
  }

  private ProduceResponseData.PartitionProduceResponse producePartition() {
    var partition =
        new ProduceResponseData.PartitionProduceResponse()
            .setIndex(random.nextInt())
            .setBaseOffset(random.nextLong());
    if (random.nextInt(3) > 0) {
      return partition; // As nearly always: nothing went wrong.
    }
    partition
        .setErrorMessage(maybe())
        .setRecordErrors(
            some(
                3,
                () ->
                    new ProduceResponseData.BatchIndexAndErrorMessage()
                        .setBatchIndex(7)
                        .setBatchIndexErrorMessage(maybe())));
    if (random.nextBoolean()) {
      partition.setCurrentLeader(
          new ProduceResponseData.LeaderIdAndEpoch().setLeaderId(3).setLeaderEpoch(9));
    }
    return partition;
  }

  private FetchResponseData fetch(short version) {
    return new FetchResponseData()
        .setThrottleTimeMs(random.nextInt())
        .setSessionId(random.nextInt())
        .setResponses(
            some(
                4,
                () ->
                    new FetchResponseData.FetchableTopicResponse()
                        .setTopic(version >= 13 ? "" : text(300))
                        .setTopicId(new Uuid(random.nextLong(), random.nextLong()))
                        .setPartitions(some(5, this::fetchPartition))));
  }

  private FetchResponseData.PartitionData fetchPartition() {
    var partition =
        new FetchResponseData.PartitionData()
            .setPartitionIndex(random.nextInt())
            .setHighWatermark(random.nextLong())
            .setRecords(random.nextInt(4) == 0 ? null : records())
            .setAbortedTransactions(
                random.nextBoolean()
                    ? null
                    : some(
                        200,
                        () ->
                            new FetchResponseData.AbortedTransaction()
                                .setFirstOffset(random.nextLong())));
    if (random.nextBoolean()) {
      partition.setCurrentLeader(
          new FetchResponseData.LeaderIdAndEpoch().setLeaderId(3).setLeaderEpoch(9));
    }
    if (random.nextBoolean()) {
      partition.setDivergingEpoch(
          new FetchResponseData.EpochEndOffset().setEpoch(1).setEndOffset(5));
    }
    return partition;
  }

  private ShareFetchResponseData shareFetch() {
    var message =
        new ShareFetchResponseData().setErrorMessage(maybe()).setAcquisitionLockTimeoutMs(30_000);
    for (var t = random.nextInt(4); t > 0; t--) {
      var topic =
          new ShareFetchResponseData.ShareFetchableTopicResponse().setTopicId(new Uuid(t, 1));
      for (var p = random.nextInt(5); p > 0; p--) {
        topic
            .partitions()
            .add(
                new ShareFetchResponseData.PartitionData()
                    .setPartitionIndex(p)
                    .setErrorMessage(maybe())
                    .setAcknowledgeErrorMessage(maybe())
                    .setRecords(records())
                    .setAcquiredRecords(
                        some(
                            9,
                            () ->
                                new ShareFetchResponseData.AcquiredRecords()
                                    .setFirstOffset(random.nextLong()))));
      }
      message.responses().add(topic);
    }
    return message;
  }

  private ShareAcknowledgeResponseData shareAcknowledge(short version) {
    var message =
        new ShareAcknowledgeResponseData()
            .setErrorMessage(maybe())
            .setAcquisitionLockTimeoutMs(version >= 2 ? 30_000 : 0);
    for (var t = random.nextInt(4); t > 0; t--) {
      var topic =
          new ShareAcknowledgeResponseData.ShareAcknowledgeTopicResponse()
              .setTopicId(new Uuid(t, 1));
      for (var p = random.nextInt(5); p > 0; p--) {
        topic
            .partitions()
            .add(
                new ShareAcknowledgeResponseData.PartitionData()
                    .setPartitionIndex(p)
                    .setErrorMessage(maybe()));
      }
      message.responses().add(topic);
    }
    return message;
  }

  private <T> List<T> some(int most, Supplier<T> one) {
    var list = new ArrayList<T>();
    for (var i = random.nextInt(most + 1); i > 0; i--) {
      list.add(one.get());
    }
    return list;
  }

  private BaseRecords records() {
    var bytes =
        new byte[random.nextBoolean() ? random.nextInt(3) : random.nextInt(maxRecordBytes + 1)];
    random.nextBytes(bytes);
    return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
  }

  private @Nullable String maybe() {
    return random.nextBoolean() ? null : text(200);
  }

  private String text(int most) {
    return "é".repeat(random.nextInt(most / 2));
  }
}
