package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Kind;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.quiet.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Slow readers, drains and the end of the proxy. */
class DrainTest {

  private static final int LARGE = 32 * 1024 * 1024;

  /**
   * Bytes. The sockets on the way hold what the kernel gives them by itself: a receive buffer of up
   * to 32 MiB (tcp_rmem of Linux 6.18) and two send buffers of up to 4 MiB. Half of this is more.
   */
  private static final int LARGER_THAN_SOCKETS = 96 * 1024 * 1024;

  /** For drains that end when all is said, however long that takes on a machine that is full. */
  private static final ProxyUnderTest.Wish PATIENT =
      ProxyUnderTest.Wish.DEFAULT
          .network(Wishes.shutdown(Duration.ofMinutes(1)))
          .drainTimeout(Duration.ofMinutes(1));

  @Test
  void a_large_response_is_read_from_the_broker_only_as_fast_as_its_client_reads()
      throws Exception {
    var written = new AtomicLong();
    try (var broker =
            new StubBroker(client -> writeCounting(client, LARGER_THAN_SOCKETS, written));
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = slowReader(proxy)) {
      client.write(Frames.heartbeat(1));
      await().until(written::get, bytes -> bytes > 0);
      await()
          .during(Duration.ofMillis(300))
          .until(written::get, bytes -> bytes < LARGER_THAN_SOCKETS / 2);
      assertThat(client.frame()).isEqualTo(Frames.answer(1, LARGER_THAN_SOCKETS));
    }
  }

  @Test
  void a_drain_waits_until_a_slow_reader_has_all_of_its_response() throws Exception {
    var written = new AtomicLong();
    try (var broker = new StubBroker(client -> writeCounting(client, LARGE, written));
        var proxy = ProxyUnderTest.inFrontOf(broker, PATIENT);
        var client = slowReader(proxy)) {
      client.write(Frames.heartbeat(1));
      await().until(written::get, bytes -> bytes > 0);
      var ended = proxy.proxy().stop("now").toCompletableFuture();
      await().during(Duration.ofMillis(300)).until(() -> !ended.isDone());
      assertThat(client.frame()).isEqualTo(Frames.answer(1, LARGE));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitEnded();
      assertThat(proxy.disconnects(DisconnectCause.DRAINED)).isEqualTo(1);
    }
  }

  @Test
  void a_reader_that_never_reads_is_cut_at_the_deadline() throws Exception {
    var written = new AtomicLong();
    try (var broker = new StubBroker(client -> writeCounting(client, LARGE, written));
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, ProxyUnderTest.Wish.DEFAULT.drainTimeout(Duration.ofMillis(600)));
        var client = slowReader(proxy)) {
      client.write(Frames.heartbeat(1));
      await().until(written::get, bytes -> bytes > 0);
      proxy.stop();
      assertThat(Asked.lastDrain(proxy).took())
          .isBetween(Duration.ofMillis(500), DrainSpec.DEFAULT_TIMEOUT);
      assertThat(proxy.disconnects(DisconnectCause.FORCED)).isEqualTo(1);
      assertThatForced(proxy);
    }
  }

  /** What was cut is counted by API, whoever hears of it first. */
  private static void assertThatForced(ProxyUnderTest proxy) {
    var counted = proxy.view().lastDrain().orElseThrow().counted();
    assertThat(counted.count(Outcome.FORCED)).isEqualTo(1);
    assertThat(counted.unanswered()).isEqualTo(Map.of("Heartbeat", 1));
    assertThat(proxy.registry().get("sluice.drain.unanswered.requests").counter().count())
        .isEqualTo(1);
  }

  @Test
  void a_client_that_never_stops_sending_one_way_requests_is_ended_and_loses_nothing()
      throws Exception {
    var received = new AtomicLong();
    try (var broker =
            new StubBroker(
                client -> {
                  while (client.tryFrame().isPresent()) {
                    received.incrementAndGet();
                  }
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, PATIENT);
        var client = proxy.connect()) {
      var sent = new AtomicLong();
      var ended = new AtomicBoolean();
      var writer = Thread.ofVirtual().start(() -> writeUntil(ended, client, sent));
      await().until(received::get, some -> some > 100);
      var stopped = proxy.proxy().stop("now").toCompletableFuture();
      assertThat(client.readToEnd()).isEmpty();
      ended.set(true);
      writer.join();
      client.leave();
      stopped.get();
      await().untilAsserted(() -> assertThat(received).hasValue(sent.get()));
      var counted = Asked.lastDrain(proxy).counted();
      assertThat(counted.count(Outcome.FORCED)).as("ended by the deadline").isZero();
      assertThat(counted.oneWaysLost()).isZero();
    }
  }

  private static void writeUntil(AtomicBoolean ended, Peer client, AtomicLong sent) {
    try {
      while (!ended.get()) {
        client.write(Frames.produce((int) sent.get(), 0, 5_000));
        sent.incrementAndGet();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeCounting(Peer client, int size, AtomicLong written) throws IOException {
    client.frame();
    var answer = Frames.answer(1, size);
    int piece = 64 * 1024;
    for (int at = 0; at < answer.length; at += piece) {
      int to = Math.min(answer.length, at + piece);
      client.write(answer, at, to);
      written.set(to);
    }
    client.readToEnd();
  }

  private static Peer slowReader(ProxyUnderTest proxy) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(16 * 1024);
    return Peer.connect(proxy.bootstrap(), socket);
  }

  @Test
  void a_drain_answers_what_comes_until_the_client_is_silent_and_says_the_end() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var broker =
            new StubBroker(
                client -> {
                  var first = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(first));
                  StubBroker.echo(client);
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect();
        var idle = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      var _ = proxy.proxy().stop("now");
      proxy.awaitState(ProxyUnderTest.NAME, ClusterState.Draining.class);
      assertThat(idle.readToEnd()).isEmpty();
      client.write(Frames.heartbeat(2));
      mayAnswer.countDown();
      assertThat(client.readToEnd())
          .isEqualTo(
              Frames.joined(
                  Frames.echoed(Frames.heartbeat(1)), Frames.echoed(Frames.heartbeat(2))));
      client.leave();
      idle.leave();
      proxy.awaitEnded();
    }
  }

  @Test
  void a_drain_lets_requests_through_that_were_read_before_the_broker_was_reached()
      throws Exception {
    try (var dead = new DeadEnd();
        var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.inFrontOf(
                List.of(dead.endpoint(), broker.endpoint()), Wishes.connectTimeout(700));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(() -> proxy.view().connections(), connections -> connections == 1);
      await().during(Duration.ofMillis(100)).until(() -> true);
      var _ = proxy.proxy().stop("now");
      assertThat(client.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      client.leave();
      proxy.awaitEnded();
    }
  }

  @Test
  void a_request_that_is_half_way_is_let_through_during_a_drain() throws Exception {
    var request = Frames.heartbeat(1, 20_000);
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(request, 0, 10_000);
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      var _ = proxy.proxy().stop("now");
      proxy.awaitState(ProxyUnderTest.NAME, ClusterState.Draining.class);
      client.write(request, 10_000, request.length);
      assertThat(client.readToEnd()).isEqualTo(Frames.echoed(request));
      client.leave();
      proxy.awaitEnded();
    }
  }

  @Test
  void who_connects_during_a_drain_waits_and_the_port_is_open_until_it_has_ended()
      throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var broker =
            new StubBroker(
                client -> {
                  var first = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(first));
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      var _ = proxy.proxy().stop("now");
      proxy.awaitState(ProxyUnderTest.NAME, ClusterState.Draining.class);
      try (var late = proxy.connect()) {
        late.write(Frames.heartbeat(9));
        await().during(Duration.ofMillis(200)).until(() -> broker.served() == 1);
        mayAnswer.countDown();
        assertThat(client.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
        client.leave();
        proxy.awaitEnded();
      }
      assertThatRefused(proxy);
    }
  }

  private static void assertThatRefused(ProxyUnderTest proxy) throws IOException {
    try (var _ = proxy.connect()) {
      throw new AssertionError("expected a refused connection");
    } catch (ConnectException e) {
      assertThat(e).hasMessageContaining("refused");
    }
  }

  @Test
  void clusters_drain_side_by_side_each_within_its_time() throws Exception {
    try (var broker = new StubBroker(Peer::readToEnd)) {
      var clusters =
          List.of("a", "b", "c").stream()
              .map(
                  name ->
                      ProxyUnderTest.cluster(
                          name,
                          List.of(broker.endpoint()),
                          FreePorts.inARow(3),
                          LimitsSpec.DEFAULT,
                          Duration.ofMillis(800)))
              .toList();
      Queue<Kind> states = new ConcurrentLinkedQueue<>();
      ProxyListener listener =
          (before, after, _) -> {
            if (before.state().kind() != after.state().kind()) {
              states.add(after.state().kind());
            }
          };
      try (var proxy =
          ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, clusters, listener)) {
        clusters.forEach(one -> proxy.awaitState(one.name(), ClusterState.Serving.class));
        for (var cluster : clusters) {
          Peer.connect(cluster.gateways().getFirst().bootstrapAddress()).write(Frames.heartbeat(1));
        }
        await().until(broker::served, served -> served == 3);
        proxy.stop();
        assertThat(states.stream().takeWhile(state -> state != Kind.STOPPED))
            .as("until one ends")
            .filteredOn(Kind.DRAINING::equals)
            .hasSize(3);
        assertThat(proxy.proxy().virtualClusters())
            .extracting(view -> view.lastDrain().orElseThrow())
            .allSatisfy(
                drain ->
                    assertThat(drain.took())
                        .isBetween(Duration.ofMillis(700), DrainSpec.DEFAULT_TIMEOUT));
      }
    }
  }

  @Test
  void a_drain_without_time_cuts_at_once() throws Exception {
    try (var broker = new StubBroker(Peer::readToEnd);
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, ProxyUnderTest.Wish.DEFAULT.drainTimeout(Duration.ZERO));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      proxy.stop();
      assertThat(Asked.lastDrain(proxy).took()).isLessThan(DrainSpec.DEFAULT_TIMEOUT);
      assertThatForced(proxy);
    }
  }

  @Test
  void the_shutdown_time_out_is_a_hard_limit() throws Exception {
    var network = Wishes.shutdown(Duration.ofMillis(500));
    try (var broker = new StubBroker(Peer::readToEnd);
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker,
                ProxyUnderTest.Wish.DEFAULT.network(network).drainTimeout(Duration.ofMinutes(5)));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      proxy.stop();
      assertThat(Asked.lastDrain(proxy).took()).isLessThan(NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT);
    }
  }

  @Test
  void stopping_twice_or_after_the_end_changes_nothing() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var first = proxy.proxy().stop("first");
      var second = proxy.proxy().stop("second");
      assertThat(first.toCompletableFuture().get().why()).isEqualTo("first");
      assertThat(second.toCompletableFuture().get().why()).isEqualTo("first");
      assertThat(proxy.proxy().stop("third").toCompletableFuture()).isCompleted();
      assertThat(proxy.proxy().retry(ProxyUnderTest.NAME).orElseThrow().toCompletableFuture())
          .isCompletedExceptionally();
    }
  }

  @Test
  void nothing_is_left_of_a_proxy_that_has_ended() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var client = proxy.connect();
      client.write(Frames.heartbeat(1));
      client.frame();
      client.leave();
      proxy.stop();
      await()
          .untilAsserted(
              () ->
                  assertThat(Thread.getAllStackTraces().keySet())
                      .extracting(Thread::getName)
                      .noneMatch(name -> name.startsWith("sluice-")));
      for (int port = 0; port <= ProxyUnderTest.NODES; port++) {
        ProxyUnderTest.occupy(proxy.bootstrap().port() + port).close();
      }
    }
  }
}
