package dev.sluice.bench;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** What is said to the stub and what it says, written by Kafka's own classes, once. */
final class StubFrames {

  /** Of a frame's length. */
  static final int LENGTH_BYTES = 4;

  /** Where a request has its correlation id: after length, API key and version. */
  private static final int REQUEST_CORRELATION = 8;

  /** Peers that are not of today know it, too. */
  private static final short PRODUCE_VERSION = 11;

  private static final short HEARTBEAT_VERSION = 4;
  private static final short API_VERSIONS_VERSION = 3;
  private static final String TOPIC = "bench";
  private static final int TIMEOUT_MILLIS = 30_000;

  private StubFrames() {}

  /** A Produce request of about so many bytes of records. */
  static ByteBuffer produce(int bytes) {
    var partition =
        new PartitionProduceData()
            .setIndex(0)
            .setRecords(MemoryRecords.readableRecords(ByteBuffer.allocate(bytes)));
    var topic = new TopicProduceData().setName(TOPIC).setPartitionData(List.of(partition));
    var data = new ProduceRequestData().setAcks((short) 1).setTimeoutMs(TIMEOUT_MILLIS);
    data.topicData().add(topic);
    return request(ApiKeys.PRODUCE, PRODUCE_VERSION, data);
  }

  /** What the stub says to {@link #produce}. */
  static ByteBuffer produced() {
    var partition = new PartitionProduceResponse().setIndex(0).setBaseOffset(1);
    var topic = new TopicProduceResponse().setName(TOPIC).setPartitionResponses(List.of(partition));
    var data = new ProduceResponseData();
    data.responses().add(topic);
    return response(ApiKeys.PRODUCE, PRODUCE_VERSION, data);
  }

  /** What the stub answers late. */
  static ByteBuffer late() {
    return request(
        ApiKeys.HEARTBEAT,
        HEARTBEAT_VERSION,
        new HeartbeatRequestData().setGroupId("late").setMemberId("late"));
  }

  /** The stub's answer to an API in some version. */
  static ByteBuffer answer(ApiKeys key, short version, int port) {
    return switch (key) {
      case API_VERSIONS -> response(key, version, apiVersions());
      case METADATA -> response(key, version, metadata(port));
      case PRODUCE -> produced();
      case HEARTBEAT -> response(key, version, new HeartbeatResponseData());
      default ->
          throw new IllegalArgumentException("Expected what the stub answers, found " + key.name);
    };
  }

  private static ApiVersionsResponseData apiVersions() {
    var data = new ApiVersionsResponseData();
    for (var key : List.of(ApiKeys.API_VERSIONS, ApiKeys.METADATA, ApiKeys.PRODUCE)) {
      data.apiKeys()
          .add(
              new ApiVersion()
                  .setApiKey(key.id)
                  .setMinVersion(key.oldestVersion())
                  .setMaxVersion(key.latestVersion()));
    }
    return data;
  }

  private static MetadataResponseData metadata(int port) {
    var data = new MetadataResponseData().setClusterId("stub").setControllerId(1);
    data.brokers()
        .add(new MetadataResponseBroker().setNodeId(1).setHost("127.0.0.1").setPort(port));
    return data;
  }

  /** Asks for the versions and waits for the answer. */
  static void greet(SocketChannel channel) throws IOException {
    var asked =
        request(
            ApiKeys.API_VERSIONS,
            API_VERSIONS_VERSION,
            new ApiVersionsRequestData()
                .setClientSoftwareName("bench")
                .setClientSoftwareVersion("1"));
    while (asked.hasRemaining()) {
      channel.write(asked);
    }
    readFrame(channel);
  }

  /** Reads one frame and forgets it. */
  static void readFrame(SocketChannel channel) throws IOException {
    var length = ByteBuffer.allocate(LENGTH_BYTES);
    readFully(channel, length);
    readFully(channel, ByteBuffer.allocate(length.getInt(0)));
  }

  static void readFully(SocketChannel channel, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new EOFException("expected an answer, found the end");
      }
    }
  }

  static void setCorrelation(ByteBuffer request, int correlation) {
    request.putInt(REQUEST_CORRELATION, correlation);
  }

  private static ByteBuffer request(ApiKeys key, short version, ApiMessage body) {
    var header =
        new RequestHeaderData()
            .setRequestApiKey(key.id)
            .setRequestApiVersion(version)
            .setClientId("bench");
    return framed(written(header, key.requestHeaderVersion(version)), written(body, version));
  }

  private static ByteBuffer response(ApiKeys key, short version, ApiMessage body) {
    return framed(
        written(new ResponseHeaderData(), key.responseHeaderVersion(version)),
        written(body, version));
  }

  private static ByteBuffer written(ApiMessage message, short version) {
    return MessageUtil.toByteBufferAccessor(message, version).buffer();
  }

  private static ByteBuffer framed(ByteBuffer header, ByteBuffer body) {
    int bytes = header.remaining() + body.remaining();
    return ByteBuffer.allocateDirect(LENGTH_BYTES + bytes)
        .putInt(bytes)
        .put(header)
        .put(body)
        .flip();
  }
}
