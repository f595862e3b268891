package dev.sluice.roller.cluster;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/**
 * Answers about a cluster that is too large for this machine, in Kafka's own messages: generated
 * topics of generated partitions on generated brokers. What is generated is the answers, not what
 * reads them.
 */
final class GeneratedBroker implements AutoCloseable {

  private static final int BROKERS = 50;
  private static final int REPLICAS = 3;
  private static final int CONFIGS = 35;
  private static final byte TOPIC = 2;

  /** Topics that are listed, and gone when they are described. */
  private final Set<String> vanished = ConcurrentHashMap.newKeySet();

  private final ServerSocket socket;
  private final int topics;
  private final int partitions;

  /**
   * @param partitions of each topic
   */
  GeneratedBroker(int topics, int partitions) throws IOException {
    this.topics = topics;
    this.partitions = partitions;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  void vanish(String topic) {
    vanished.add(topic);
  }

  static String topic(int number) {
    return "topic-%06d".formatted(number);
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket connection) {
    try (connection;
        var in = new DataInputStream(connection.getInputStream());
        var out =
            new DataOutputStream(new BufferedOutputStream(connection.getOutputStream(), 65_536))) {
      while (true) {
        ByteBuffer request = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        ByteBuffer response = answer(request);
        out.writeInt(response.remaining());
        out.write(response.array(), response.arrayOffset(), response.remaining());
        out.flush();
      }
    } catch (IOException _) {
      // the client left
    }
  }

  private ByteBuffer answer(ByteBuffer bytes) {
    RequestHeader header = RequestHeader.parse(bytes);
    AbstractRequest request =
        AbstractRequest.parseRequest(
                header.apiKey(), header.apiVersion(), new ByteBufferAccessor(bytes))
            .request;
    ApiMessage answer =
        switch (header.apiKey()) {
          case API_VERSIONS -> versions();
          case METADATA -> metadata();
          case DESCRIBE_CLUSTER -> cluster();
          case LIST_CONFIG_RESOURCES -> names();
          case DESCRIBE_CONFIGS -> configs((DescribeConfigsRequestData) request.data());
          case DESCRIBE_TOPIC_PARTITIONS ->
              describe((DescribeTopicPartitionsRequestData) request.data());
          default -> throw new IllegalStateException("expected no " + header.apiKey());
        };
    return RequestUtils.serialize(
        header.toResponseHeader().data(),
        header.apiKey().responseHeaderVersion(header.apiVersion()),
        answer,
        header.apiVersion());
  }

  private static ApiMessage versions() {
    var versions = new ApiVersionsResponseData();
    for (ApiKeys key :
        List.of(
            ApiKeys.API_VERSIONS,
            ApiKeys.METADATA,
            ApiKeys.DESCRIBE_CLUSTER,
            ApiKeys.LIST_CONFIG_RESOURCES,
            ApiKeys.DESCRIBE_CONFIGS,
            ApiKeys.DESCRIBE_TOPIC_PARTITIONS)) {
      versions
          .apiKeys()
          .add(
              new ApiVersionsResponseData.ApiVersion()
                  .setApiKey(key.id)
                  .setMinVersion(key.oldestVersion())
                  .setMaxVersion(key.latestVersion()));
    }
    return versions;
  }

  /** All brokers are this one. */
  private ApiMessage metadata() {
    var metadata = new MetadataResponseData().setClusterId("generated").setControllerId(0);
    for (int id = 0; id < BROKERS; id++) {
      metadata
          .brokers()
          .add(
              new MetadataResponseBroker()
                  .setNodeId(id)
                  .setHost("127.0.0.1")
                  .setPort(socket.getLocalPort()));
    }
    return metadata;
  }

  private ApiMessage cluster() {
    var cluster = new DescribeClusterResponseData().setClusterId("generated").setControllerId(0);
    for (int id = 0; id < BROKERS; id++) {
      cluster
          .brokers()
          .add(
              new DescribeClusterBroker()
                  .setBrokerId(id)
                  .setHost("127.0.0.1")
                  .setPort(socket.getLocalPort()));
    }
    return cluster;
  }

  private ApiMessage names() {
    var names = new ListConfigResourcesResponseData();
    for (int i = 0; i < topics; i++) {
      names
          .configResources()
          .add(
              new ListConfigResourcesResponseData.ConfigResource()
                  .setResourceName(topic(i))
                  .setResourceType(TOPIC));
    }
    return names;
  }

  private ApiMessage configs(DescribeConfigsRequestData request) {
    var configs = new DescribeConfigsResponseData();
    for (var resource : request.resources()) {
      var result =
          new DescribeConfigsResponseData.DescribeConfigsResult()
              .setResourceName(resource.resourceName())
              .setResourceType(resource.resourceType());
      if (vanished.contains(resource.resourceName())) {
        result.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
      } else {
        result.configs().add(config("min.insync.replicas", "2"));
        for (int i = 1; i < CONFIGS; i++) {
          result.configs().add(config("some.other.config." + i, "a value of it"));
        }
      }
      configs.results().add(result);
    }
    return configs;
  }

  private static DescribeConfigsResponseData.DescribeConfigsResourceResult config(
      String name, String value) {
    return new DescribeConfigsResponseData.DescribeConfigsResourceResult()
        .setName(name)
        .setValue(value)
        .setConfigSource((byte) 5);
  }

  private ApiMessage describe(DescribeTopicPartitionsRequestData request) {
    var described = new DescribeTopicPartitionsResponseData();
    int left = request.responsePartitionLimit();
    var cursor = request.cursor();
    for (var asked : request.topics()) {
      int from = 0;
      if (cursor != null) {
        int order = asked.name().compareTo(cursor.topicName());
        if (order < 0) {
          continue;
        }
        from = order == 0 ? cursor.partitionIndex() : 0;
      }
      if (left == 0) {
        described.setNextCursor(
            new DescribeTopicPartitionsResponseData.Cursor()
                .setTopicName(asked.name())
                .setPartitionIndex(from));
        break;
      }
      int to = Math.min(partitions, from + left);
      left -= to - from;
      described.topics().add(topic(asked.name(), from, to));
      if (to < partitions) {
        described.setNextCursor(
            new DescribeTopicPartitionsResponseData.Cursor()
                .setTopicName(asked.name())
                .setPartitionIndex(to));
        break;
      }
    }
    return described;
  }

  private DescribeTopicPartitionsResponseTopic topic(String name, int from, int to) {
    var topic =
        new DescribeTopicPartitionsResponseTopic()
            .setName(name)
            .setTopicId(new Uuid(name.hashCode(), 1));
    if (vanished.contains(name)) {
      return topic.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }
    for (int partition = from; partition < to; partition++) {
      List<Integer> replicas = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        replicas.add(Math.floorMod(name.hashCode() + partition + i * 7, BROKERS));
      }
      topic
          .partitions()
          .add(
              new DescribeTopicPartitionsResponsePartition()
                  .setPartitionIndex(partition)
                  .setLeaderId(replicas.getFirst())
                  .setReplicaNodes(replicas)
                  .setIsrNodes(replicas)
                  .setEligibleLeaderReplicas(List.of())
                  .setLastKnownElr(List.of()));
    }
    return topic;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
