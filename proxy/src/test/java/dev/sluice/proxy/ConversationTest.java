package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Requests and responses pass whole and in order, wherever the network cuts them. */
class ConversationTest {

  private static final int METADATA_VERSION = 12;
  private static final long PAUSE_NANOS = 500_000;

  @Test
  void pipelined_requests_split_at_every_byte_arrive_as_they_were() throws IOException {
    var conversation =
        Frames.joined(
            Frames.heartbeat(1), Frames.produce(2, 0, 30), Frames.produce(3, 1, 3), metadata(4));
    try (var broker = new StubBroker(client -> sendBack(client, conversation.length));
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      for (int cut = 1; cut < conversation.length; cut++) {
        try (var client = proxy.connect()) {
          client.write(conversation, 0, cut);
          LockSupport.parkNanos(PAUSE_NANOS); // So that the second part is a read of its own.
          client.write(conversation, cut, conversation.length);
          client.halfClose();
          assertThat(client.readToEnd()).as("cut at %d", cut).isEqualTo(frameOf(conversation));
        }
      }
    }
  }

  private static void sendBack(Peer client, int bytes) throws IOException {
    client.write(frameOf(client.read(bytes)));
  }

  /** The whole conversation in the answer to its first request. */
  private static byte[] frameOf(byte[] conversation) {
    return Frames.joined(
        java.nio.ByteBuffer.allocate(8).putInt(4 + conversation.length).putInt(1).array(),
        conversation);
  }

  @Test
  void pipelined_responses_split_at_every_byte_arrive_as_they_were() throws Exception {
    var requests =
        Frames.joined(
            Frames.heartbeat(1), metadata(2), Frames.produce(3, -1, 0), Frames.heartbeat(4));
    var brokers = Frames.response(ApiKeys.METADATA, METADATA_VERSION, 2, noBrokers());
    var responses =
        Frames.joined(Frames.answer(1, 0), brokers, Frames.answer(3, 20), Frames.answer(4, 1));
    var cut = new java.util.concurrent.atomic.AtomicInteger();
    try (var broker =
            new StubBroker(
                client -> {
                  client.read(requests.length);
                  client.write(responses, 0, cut.get());
                  if (cut.get() % 4 == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS); // As above, of the broker's.
                  }
                  client.write(responses, cut.get(), responses.length);
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      for (cut.set(0); cut.get() < responses.length; cut.incrementAndGet()) {
        try (var client = proxy.connect()) {
          client.write(requests);
          assertThat(client.read(responses.length)).as("cut at %s", cut).isEqualTo(responses);
        }
      }
    }
  }

  @Test
  void a_random_conversation_in_random_chunks_arrives_whole_and_in_order() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    try (var broker = new StubBroker(client -> echoInChunks(client, new Random(seed + 1)));
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      for (int round = 0; round < 30; round++) {
        converse(proxy, new Random(seed + round));
      }
    }
  }

  private static void converse(ProxyUnderTest proxy, Random random) throws Exception {
    var expected = new ArrayList<byte[]>();
    var all = new java.io.ByteArrayOutputStream();
    for (int i = 0; i < 200; i++) {
      switch (random.nextInt(6)) {
        case 0 -> all.writeBytes(Frames.produce(i, 0, random.nextInt(3000)));
        case 1 -> {
          all.writeBytes(Frames.futureApiVersions(i));
          expected.add(unsupported(i));
        }
        default -> {
          var request = Frames.heartbeat(i, random.nextInt(random.nextInt(20) == 0 ? 30_000 : 50));
          all.writeBytes(request);
          expected.add(Frames.echoed(request));
        }
      }
    }
    try (var client = proxy.connect()) {
      var writer = Thread.ofVirtual().start(() -> writeInChunks(client, all.toByteArray(), random));
      for (var frame : expected) {
        assertThat(client.frame()).isEqualTo(frame);
      }
      writer.join();
    }
  }

  static byte[] unsupported(int correlationId) {
    var answer = new ApiVersionsResponseData().setErrorCode(Errors.UNSUPPORTED_VERSION.code());
    answer
        .apiKeys()
        .add(
            new ApiVersionsResponseData.ApiVersion()
                .setApiKey(ApiKeys.API_VERSIONS.id)
                .setMinVersion(ApiKeys.API_VERSIONS.oldestVersion())
                .setMaxVersion(ApiKeys.API_VERSIONS.latestVersion(false)));
    return Frames.response(ApiKeys.API_VERSIONS, 0, correlationId, answer);
  }

  private static void writeInChunks(Peer peer, byte[] bytes, Random random) {
    try {
      int at = 0;
      while (at < bytes.length) {
        int to = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 20 : 5000));
        peer.write(bytes, at, to);
        at = to;
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void echoInChunks(Peer client, Random random) throws IOException {
    for (var frame = client.tryFrame(); frame.isPresent(); frame = client.tryFrame()) {
      boolean isOneWay = frame.get()[5] == ApiKeys.PRODUCE.id;
      if (!isOneWay) {
        writeInChunks(client, Frames.echoed(frame.get()), random);
      }
    }
  }

  @Test
  void an_unknown_version_of_api_versions_is_answered_in_its_turn() throws IOException {
    var release = new java.util.concurrent.CountDownLatch(1);
    try (var broker =
            new StubBroker(
                client -> {
                  var first = client.frame();
                  var second = client.frame();
                  release.await();
                  client.write(Frames.echoed(first)).write(Frames.echoed(second));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(
          Frames.joined(
              Frames.futureApiVersions(1),
              Frames.heartbeat(2),
              Frames.futureApiVersions(3),
              Frames.futureApiVersions(4),
              Frames.heartbeat(5),
              Frames.futureApiVersions(6)));
      assertThat(client.frame()).isEqualTo(unsupported(1));
      release.countDown();
      assertThat(List.of(id(client), id(client), id(client), id(client), id(client)))
          .containsExactly(2, 3, 4, 5, 6);
    }
  }

  private static int id(Peer client) throws IOException {
    return Frames.correlationIdOfResponse(client.frame());
  }

  @Test
  void addresses_of_brokers_are_replaced_by_ports_of_the_gateway() throws IOException {
    var theirs = new MetadataResponseData();
    theirs.brokers().add(broker(1, "kafka-1.internal", 9092));
    theirs.brokers().add(broker(77, "kafka-77.internal", 9092));
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.write(Frames.response(ApiKeys.METADATA, METADATA_VERSION, 1, theirs));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(metadata(1));
      var ours =
          new MetadataResponseData(
              Frames.body(ApiKeys.METADATA, METADATA_VERSION, client.frame()),
              (short) METADATA_VERSION);
      assertThat(ours.brokers())
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.host()).isEqualTo(proxy.node(1).host());
                assertThat(one.port()).isEqualTo(proxy.node(1).port());
              });
    }
  }

  private static MetadataResponseBroker broker(int node, String host, int port) {
    return new MetadataResponseBroker().setNodeId(node).setHost(host).setPort(port);
  }

  static byte[] metadata(int correlationId) {
    return Frames.request(
        ApiKeys.METADATA, METADATA_VERSION, correlationId, new MetadataRequestData());
  }

  private static MetadataResponseData noBrokers() {
    return new MetadataResponseData().setClusterId("some-cluster").setControllerId(-1);
  }

  @Test
  void requests_before_the_broker_is_connected_keep_their_order() throws Exception {
    var requests = new ArrayList<byte[]>();
    for (int i = 0; i < 2000; i++) {
      requests.add(Frames.heartbeat(i, 200));
    }
    try (var dead = new DeadEnd();
        var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.inFrontOf(
                List.of(dead.endpoint(), broker.endpoint()), Wishes.connectTimeout(300));
        var client = proxy.connect()) {
      var all = Frames.joined(requests.toArray(byte[][]::new));
      var writer = Thread.ofVirtual().start(() -> writeInChunks(client, all, new Random(1)));
      for (var request : requests) {
        assertThat(Arrays.equals(client.frame(), Frames.echoed(request))).isTrue();
      }
      writer.join();
    }
  }
}
