package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.protocol.BrokerQuestion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.NodeEndpoint;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;

/** No address of a broker reaches a client; ports of nodes lead to their brokers. */
class AddressesPassTest {

  private static final int FETCH = 17;
  private static final long PAUSE_NANOS = 500_000;
  private static final String SECRET = "kafka-1.upstream.internal";

  /** What the broker answers, in two pieces. */
  private final AtomicReference<byte[]> answer = new AtomicReference<>(new byte[0]);

  private final AtomicInteger cutAt = new AtomicInteger();

  @Test
  void end_points_in_a_response_that_comes_whole_are_ours() throws Exception {
    try (var broker = new StubBroker(this::answer);
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      assertOurs(proxy, fetched(0), 0);
    }
  }

  @Test
  void end_points_in_a_response_that_is_cut_through_are_ours_wherever_it_is_cut() throws Exception {
    var cutThrough = fetched(1000);
    try (var broker = new StubBroker(this::answer);
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      for (int cut = 9; cut < cutThrough.length; cut += cut < 900 ? 31 : 1) {
        assertOurs(proxy, cutThrough, cut);
      }
    }
  }

  @Test
  void a_large_response_with_end_points_keeps_its_records() throws Exception {
    try (var broker = new StubBroker(this::answer);
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      assertOurs(proxy, fetched(3_000_000), 0);
    }
  }

  private void assertOurs(ProxyUnderTest proxy, byte[] bytes, int cut) throws Exception {
    answer.set(bytes);
    cutAt.set(cut);
    try (var client = proxy.connect()) {
      client.write(fetch());
      var frame = client.frame();
      var got = new FetchResponseData(Frames.body(ApiKeys.FETCH, FETCH, frame), (short) FETCH);
      assertThat(new String(frame, StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
      assertThat(got.nodeEndpoints().find(1).port()).isEqualTo(proxy.node(1).port());
      var theirs = new FetchResponseData(Frames.body(ApiKeys.FETCH, FETCH, bytes), (short) FETCH);
      assertThat(got.responses()).isEqualTo(theirs.responses());
    }
  }

  @Test
  void a_response_whose_structure_is_broken_tells_no_address() throws Exception {
    var good = fetched(50);
    try (var broker = new StubBroker(this::answer);
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      for (int at = 8; at < good.length; at++) {
        if (at == endPointsTag(good)) {
          continue; // Of another number it is a field that every client skips: nothing is broken.
        }
        var bad = Arrays.copyOf(good, good.length);
        bad[at] = (byte) 0x7F;
        assertTellsNothing(proxy, bad, 0, at);
        assertTellsNothing(proxy, bad, good.length - 5, at);
      }
    }
  }

  /** Before the host: its length, the node id, the number of end points, the field's size. */
  private static int endPointsTag(byte[] frame) {
    return new String(frame, StandardCharsets.ISO_8859_1).indexOf(SECRET) - 1 - 4 - 1 - 1 - 1;
  }

  private void assertTellsNothing(ProxyUnderTest proxy, byte[] bad, int cut, int at)
      throws Exception {
    answer.set(bad);
    cutAt.set(cut);
    try (var client = proxy.connect()) {
      client.write(fetch());
      assertThat(new String(client.readToEnd(), StandardCharsets.ISO_8859_1))
          .as("broken at %d", at)
          .doesNotContain("upstream.internal");
    }
  }

  private void answer(Peer client) throws java.io.IOException {
    var told = answer.get();
    int cut = cutAt.get();
    client.frame();
    client.write(told, 0, cut);
    LockSupport.parkNanos(PAUSE_NANOS); // So that the second piece is a read of its own.
    client.write(told, cut, told.length);
  }

  private static byte[] fetch() {
    return Frames.request(ApiKeys.FETCH, FETCH, 1, new FetchRequestData());
  }

  private static byte[] fetched(int recordBytes) {
    var records = MemoryRecords.readableRecords(java.nio.ByteBuffer.allocate(recordBytes));
    var topic = new FetchableTopicResponse();
    topic.partitions().add(new PartitionData().setPartitionIndex(3).setRecords(records));
    var body = new FetchResponseData();
    body.responses().add(topic);
    body.nodeEndpoints().add(new NodeEndpoint().setNodeId(1).setHost(SECRET).setPort(9092));
    return Frames.response(ApiKeys.FETCH, FETCH, 1, body);
  }

  @Test
  void the_port_of_a_node_leads_to_its_broker_before_any_metadata_was_seen() throws Exception {
    try (var second = StubBroker.echo();
        var first =
            new StubBroker(
                StubBroker::echo,
                asking ->
                    asking.write(
                        Frames.response(
                            ApiKeys.METADATA, BrokerQuestion.VERSION, 0, brokers(2, second))));
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = Peer.connect(proxy.node(2))) {
      client.write(Frames.heartbeat(1));
      client.frame();
      assertThat(second.served()).isEqualTo(1);
      assertThat(first.served()).isZero();
    }
  }

  @Test
  void the_port_of_a_node_leads_to_a_bootstrap_server_where_the_cluster_does_not_tell()
      throws Exception {
    try (var first = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = Peer.connect(proxy.node(2))) {
      client.write(Frames.heartbeat(1));
      client.frame();
      assertThat(first.served()).isEqualTo(1);
    }
  }

  @Test
  void a_broker_that_has_moved_is_found_again() throws Exception {
    var asked = new AtomicInteger();
    var gone = FreePorts.inARow(1);
    try (var second = StubBroker.echo();
        var first =
            new StubBroker(
                StubBroker::echo,
                asking -> {
                  int port = asked.incrementAndGet() == 1 ? gone : second.endpoint().port();
                  asking.write(
                      Frames.response(
                          ApiKeys.METADATA, BrokerQuestion.VERSION, 0, brokers(2, port)));
                });
        var proxy =
            ProxyUnderTest.inFrontOf(List.of(first.endpoint()), Wishes.connectTimeout(500))) {
      await().until(asked::get, times -> times == 1);
      await()
          .atMost(java.time.Duration.ofSeconds(60))
          .pollInterval(java.time.Duration.ofMillis(500))
          .until(
              () -> {
                try (var client = Peer.connect(proxy.node(2))) {
                  client.write(Frames.heartbeat(1));
                  return client.tryFrame().isPresent() && second.served() > 0;
                }
              });
    }
  }

  private static MetadataResponseData brokers(int node, StubBroker broker) {
    return brokers(node, broker.endpoint().port());
  }

  private static MetadataResponseData brokers(int node, int port) {
    var answer = new MetadataResponseData();
    answer
        .brokers()
        .add(new MetadataResponseBroker().setNodeId(node).setHost("127.0.0.1").setPort(port));
    return answer;
  }
}
