package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Wanted;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the SPI promises and other tests of filters do not show; docs/filter-promises.md has all.
 */
class FilterPromisesTest {

  private static final int HEARTBEAT = 4;
  private static final Wanted REQUESTS = Wanted.NOTHING.andRequests(ApiKeys.HEARTBEAT);
  private static final Wanted RESPONSES = Wanted.NOTHING.andResponses(ApiKeys.HEARTBEAT);

  // ---- decoded is what is wanted -------------------------------------------------------------

  @Test
  void what_no_filter_wants_passes_both_ways_though_nobody_could_decode_it() throws Exception {
    var filter = new ScriptedFilter(REQUESTS.or(RESPONSES));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(garbled(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(garbled(1)));
      assertThat(filter.responses).isEmpty();
    }
  }

  @Test
  void what_is_wanted_and_cannot_be_decoded_is_not_forwarded() throws Exception {
    Queue<byte[]> seen = new ConcurrentLinkedQueue<>();
    var filter = new ScriptedFilter(Wanted.NOTHING.andRequests(ApiKeys.END_TXN));
    try (var broker =
            new StubBroker(
                client -> {
                  for (var f = client.tryFrame(); f.isPresent(); f = client.tryFrame()) {
                    seen.add(f.get());
                  }
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(garbled(1));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      await().until(() -> proxy.view().connections(), connections -> connections == 0);
      assertThat(seen).isEmpty();
    }
  }

  @Test
  void a_version_that_is_not_wanted_passes_unseen() throws Exception {
    Queue<Short> versions = new ConcurrentLinkedQueue<>();
    var filter =
        new ScriptedFilter(Wanted.NOTHING.andRequests(ApiKeys.HEARTBEAT, HEARTBEAT, HEARTBEAT))
            .onRequest(
                (exchange, body) -> {
                  versions.add(exchange.apiVersion());
                  return RequestVerdict.forward(body);
                });
    var older =
        Frames.request(
            ApiKeys.HEARTBEAT,
            HEARTBEAT - 1,
            1,
            new HeartbeatRequestData().setGroupId("g").setMemberId("m"));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(Frames.joined(older, Frames.heartbeat(2)));
      assertThat(client.frame()).isEqualTo(Frames.echoed(older));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      assertThat(versions).containsExactly((short) HEARTBEAT);
    }
  }

  /** Of an API that nobody rewrites; a body that no decoder takes. */
  private static byte[] garbled(int correlationId) {
    var data = new EndTxnRequestData().setTransactionalId("t");
    var frame = Frames.request(ApiKeys.END_TXN, 3, correlationId, data);
    int body = 14; // The id and its length, 8 + 2 bytes of the producer, the verdict, no tags.
    Arrays.fill(frame, frame.length - body, frame.length, (byte) 0xff);
    return frame;
  }

  // ---- responses are judged as requests are --------------------------------------------------

  @Test
  void a_filter_that_closes_fails_or_takes_too_long_over_a_response_ends_the_connection()
      throws Exception {
    endsWith(
        new ScriptedFilter(RESPONSES).onResponse((_, _) -> ResponseVerdict.close("not today")),
        "filter 'f0' closes it: not today");
    endsWith(
        new ScriptedFilter(RESPONSES)
            .onResponse(
                (_, _) -> {
                  throw new IllegalStateException("out of ideas");
                }),
        "filter 'f0' failed: java.lang.IllegalStateException: out of ideas");
    endsWith(
        new ScriptedFilter(RESPONSES)
            .onResponse((_, _) -> CompletableFuture.failedFuture(new IOException("no answer"))),
        "filter 'f0' failed: java.io.IOException: no answer");
    endsWith(
        new ScriptedFilter(RESPONSES)
            .onResponse((_, _) -> new CompletableFuture<>())
            .timeLimit(Duration.ofMillis(50)),
        "filter 'f0' took longer than its timeLimit of 50 ms");
  }

  private static void endsWith(ScriptedFilter filter, String why) throws Exception {
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.write(
                      Frames.response(
                          ApiKeys.HEARTBEAT, HEARTBEAT, 1, new HeartbeatResponseData()));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd()).as("what a client was told").isEmpty();
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.FILTERED);
      assertThat(proxy.log().aboutConnections()).singleElement().asString().contains(why);
    }
  }

  // ---- a life for each cluster and generation ------------------------------------------------

  @Test
  void a_definition_that_two_clusters_share_makes_a_filter_for_each() throws Exception {
    Queue<Integer> asked = new ConcurrentLinkedQueue<>();
    var shared =
        new ScriptedFilter(REQUESTS)
            .onRequest(
                (exchange, body) -> {
                  asked.add(exchange.header().correlationId());
                  return RequestVerdict.forward(body);
                });
    int ports = FreePorts.inARow(6);
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.start(
                NetworkSpec.DEFAULT,
                FailurePolicy.DEFAULT,
                List.of(
                    ScriptedFilter.on(
                        ProxyUnderTest.cluster(ProxyUnderTest.NAME, broker.endpoint(), ports),
                        shared),
                    ScriptedFilter.on(
                        ProxyUnderTest.cluster("beside", broker.endpoint(), ports + 3), shared)))) {
      proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
      proxy.awaitState("beside", Serving.class);
      assertThat(shared.made).hasValue(2);
      Asked.switched(proxy, proxy.view().spec().withFilters(List.of()), Way.IN_PLACE);
      Asked.untilSettled(proxy);
      await().untilAsserted(() -> assertThat(shared.closed).hasValue(1));
      converse(ports, 1);
      converse(ports + 3, 2);

      assertThat(asked).as("who is filtered still").containsExactly(2);
    }
    await().untilAsserted(() -> assertThat(shared.closed).hasValue(2));
  }

  private static void converse(int port, int correlationId) throws Exception {
    try (var client = Peer.connect(new Endpoint("127.0.0.1", port))) {
      client.write(Frames.heartbeat(correlationId));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(correlationId)));
    }
  }

  @Test
  void a_filter_that_fails_to_close_keeps_no_other_from_it() throws Exception {
    var failing =
        new ScriptedFilter(REQUESTS)
            .onClose(
                () -> {
                  throw new IllegalStateException("not that easily");
                });
    var other = new ScriptedFilter(REQUESTS);
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, failing, other)) {
      Asked.switched(proxy, proxy.view().spec().withFilters(List.of()), Way.IN_PLACE);
      await().untilAsserted(() -> assertThat(other.closed).hasValue(1));
      assertThat(failing.closed).hasValue(1);
      await()
          .until(
              () -> String.join("\n", proxy.log().atLeast(Level.WARN)),
              told -> told.contains("A filter failed to close"));
    }
    assertThat(failing.closed).hasValue(1);
  }

  @Test
  @Tag("acceptance")
  void a_filter_that_does_not_come_back_from_initialize_fails_its_cluster() throws Exception {
    var mayGoOn = new CountDownLatch(1);
    var hanging =
        new ScriptedFilter(REQUESTS)
            .onInitialize(
                () -> {
                  mayGoOn.await();
                  return null;
                });
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.start(
                NetworkSpec.DEFAULT,
                new FailurePolicy(FailurePolicy.Serve.REMAINING, Optional.empty()),
                List.of(
                    ScriptedFilter.on(
                        ProxyUnderTest.cluster(
                            ProxyUnderTest.NAME, broker.endpoint(), FreePorts.inARow(3)),
                        hanging)))) {
      await()
          .atMost(FilterSetUp.LIMIT.multipliedBy(2))
          .until(() -> proxy.view().life().state(), Failed.class::isInstance);
      assertThat(((Failed) proxy.view().life().state()).failure().cause())
          .contains("f0", "to initialize within 30 s");
      mayGoOn.countDown();
      await().untilAsserted(() -> assertThat(hanging.closed).hasValue(1));
    } finally {
      mayGoOn.countDown();
    }
  }
}
