package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.quiet.Bounds;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Another generation takes over while the former one is left. */
class HandoverTest {

  /** How often somebody arrives where somebody always does. */
  private static final Duration PERIOD = Duration.ofMillis(2);

  @Test
  void a_restart_brings_connections_to_their_end_and_never_leaves_serving() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      var step = Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED));
      assertThat(step.reason().code()).isEqualTo(Reason.Code.HANDED_OVER);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      Asked.untilSettled(proxy);
      var view = proxy.view();
      assertThat(view.life().generation()).isEqualTo(2);
      assertThat(view.life().history().transitions())
          .allMatch(move -> move.to() == view.life().state().kind());
      var report = Asked.lastDrain(proxy);
      assertThat(report.way()).isEqualTo(Way.HANDOVER);
      assertThat(report.generation()).isEqualTo(1);
      assertThat(report.counted().count(Outcome.QUIESCED)).isEqualTo(1);
      assertThat(view.drain()).isEmpty();
    }
  }

  @Test
  void who_arrives_while_a_former_generation_is_left_is_served_at_once() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    var asked = new AtomicInteger();
    try (var broker =
            new StubBroker(
                client -> {
                  var first = client.frame();
                  if (asked.incrementAndGet() == 1) {
                    mayAnswer.await();
                  }
                  client.write(Frames.echoed(first));
                  StubBroker.echo(client);
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var old = proxy.connect()) {
      old.write(Frames.heartbeat(1));
      await().until(asked::get, count -> count == 1);
      Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED));
      try (var client = proxy.connect()) {
        client.write(Frames.heartbeat(2));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
        var progress = proxy.view().drain().orElseThrow();
        assertThat(progress.way()).isEqualTo(Way.HANDOVER);
        assertThat(progress.connectionsAtFirst()).isEqualTo(1);
        assertThat(progress.connectionsLeft()).isEqualTo(1);
        assertThat(proxy.view().connections()).isEqualTo(2);
        mayAnswer.countDown();
        assertThat(old.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
        old.leave();
        Asked.untilSettled(proxy);
        client.write(Frames.heartbeat(3));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(3)));
      }
    }
  }

  @Test
  void nobody_is_refused_or_turned_away_while_generations_change() throws Exception {
    var over = new AtomicBoolean();
    var served = new AtomicInteger();
    var failure = new AtomicReference<Exception>();
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var arrivals =
          Thread.ofPlatform()
              .name("arrivals")
              .start(
                  () -> {
                    while (!over.get() && failure.get() == null) {
                      try (var client = proxy.connect()) {
                        client.write(Frames.heartbeat(1));
                        client.frame();
                        served.incrementAndGet();
                        LockSupport.parkNanos(PERIOD.toNanos());
                      } catch (IOException e) {
                        failure.set(e);
                      }
                    }
                  });
      for (int restart = 0; restart < 10; restart++) {
        int before = served.get();
        Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED));
        Asked.untilSettled(proxy);
        await().until(() -> served.get() > before || failure.get() != null);
      }
      over.set(true);
      arrivals.join();
      assertThat(failure.get()).isNull();
      assertThat(proxy.view().life().generation()).isEqualTo(11);
    }
  }

  @Test
  void a_port_that_is_taken_fails_the_preparation_and_the_old_generation_serves_on()
      throws Exception {
    int elsewhere = FreePorts.inARow(ProxyUnderTest.NODES + 1);
    try (var broker = StubBroker.echo();
        var busy = ProxyUnderTest.occupy(elsewhere + 1);
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      var next = ProxyUnderTest.cluster(ProxyUnderTest.NAME, broker.endpoint(), elsewhere);
      var accepted = Asked.of(proxy.proxy().reconfiguration().accept(next));
      var life = Asked.untilPrepared(proxy, accepted.generation());
      assertThat(life.state()).isEqualTo(new Serving(1, Change.NONE));
      var cause = life.lastFailure().orElseThrow();
      assertThat(cause.code()).isEqualTo("port-busy");
      assertThat(cause.cause()).contains("port " + (elsewhere + 1), "process ");
      ProxyUnderTest.occupy(elsewhere).close();
      client.write(Frames.heartbeat(2));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      ProxyUnderTest.free(busy);
      var again = Asked.of(proxy.proxy().reconfiguration().accept(next));
      assertThat(Asked.untilPrepared(proxy, again.generation()).state())
          .isEqualTo(new Serving(1, new Change.Ready(again.generation())));
      client.leave();
    }
  }

  @Test
  void a_reload_that_is_cancelled_gives_back_its_new_ports_only() throws Exception {
    int elsewhere = FreePorts.inARow(ProxyUnderTest.NODES + 1);
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var next = ProxyUnderTest.cluster(ProxyUnderTest.NAME, broker.endpoint(), elsewhere);
      var accepted = Asked.of(proxy.proxy().reconfiguration().accept(next));
      Asked.untilPrepared(proxy, accepted.generation());
      var step =
          Asked.of(
              proxy.proxy().reconfiguration().cancel(ProxyUnderTest.NAME, accepted.generation()));
      assertThat(step.reason().code()).isEqualTo(Reason.Code.RELOAD_CANCELLED);
      await().untilAsserted(() -> ProxyUnderTest.occupy(elsewhere).close());
      try (var client = proxy.connect()) {
        client.write(Frames.heartbeat(1));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      }
    }
  }

  @Test
  void an_old_port_is_served_by_the_new_generation_also_when_the_old_one_is_left()
      throws Exception {
    int elsewhere = FreePorts.inARow(ProxyUnderTest.NODES + 1);
    var mayAnswer = new CountDownLatch(1);
    var asked = new AtomicInteger();
    try (var broker =
            new StubBroker(
                client -> {
                  var first = client.frame();
                  if (asked.incrementAndGet() == 1) {
                    mayAnswer.await();
                  }
                  client.write(Frames.echoed(first));
                  StubBroker.echo(client);
                });
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var before = proxy.bootstrap();
      try (var old = proxy.connect()) {
        old.write(Frames.heartbeat(1));
        await().until(asked::get, count -> count == 1);
        Asked.switched(proxy, cluster(broker, elsewhere), Way.HANDOVER);
        for (var place : List.of(before, proxy.bootstrap())) {
          try (var client = Peer.connect(place)) {
            client.write(Frames.heartbeat(2));
            assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
          }
        }
        mayAnswer.countDown();
        old.readToEnd();
      }
      Asked.untilSettled(proxy);
      assertThat(proxy.bootstrap().port()).isEqualTo(elsewhere);
      ProxyUnderTest.assertEchoedAt(before);
      assertThat(proxy.view().lingeringPorts()).containsOnlyKeys(portsFrom(before));
    }
  }

  private static Integer[] portsFrom(Endpoint bootstrap) {
    return IntStream.rangeClosed(bootstrap.port(), bootstrap.port() + ProxyUnderTest.NODES)
        .boxed()
        .toArray(Integer[]::new);
  }

  private static VirtualClusterSpec cluster(StubBroker broker, int firstPort) {
    return ProxyUnderTest.cluster(ProxyUnderTest.NAME, broker.endpoint(), firstPort);
  }

  @Test
  void what_does_not_leave_in_time_is_cut_and_counted_before_the_report() throws Exception {
    try (var broker = new StubBroker(Peer::readToEnd);
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, ProxyUnderTest.Wish.DEFAULT.drainTimeout(Duration.ofMillis(400)));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED));
      Asked.untilSettled(proxy);
      var counted = Asked.lastDrain(proxy).counted();
      assertThat(counted.count(Outcome.FORCED)).isEqualTo(1);
      assertThat(counted.unanswered()).containsEntry("Heartbeat", 1);
      client.leave();
    }
  }

  @Test
  void a_shutdown_quiesces_both_generations_while_one_is_left() throws Exception {
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
        var old = proxy.connect()) {
      old.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED));
      try (var client = proxy.connect()) {
        client.write(Frames.heartbeat(2));
        await().until(broker::served, served -> served == 2);
        var _ = proxy.proxy().stop("now");
        await().until(() -> proxy.view().drain().orElseThrow().way(), Way.DRAIN::equals);
        assertThat(proxy.view().drain().orElseThrow().connectionsLeft()).isEqualTo(2);
        mayAnswer.countDown();
        assertThat(old.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
        assertThat(client.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
        old.leave();
        client.leave();
        proxy.awaitEnded();
        assertThat(proxy.disconnects(DisconnectCause.DRAINED)).isEqualTo(2);
      }
    }
  }

  @Test
  void a_client_that_has_come_back_to_a_node_is_not_waited_for_any_longer() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.draining(
                broker,
                new DrainSpec(DrainSpec.DEFAULT_TIMEOUT, Bounds.PAUSE, Bounds.MAX_RECONNECT_WAIT));
        var first = Peer.connect(proxy.node(1));
        var second = Peer.connect(proxy.node(2))) {
      first.write(Frames.heartbeat(1));
      first.frame();
      second.write(Frames.heartbeat(1));
      second.frame();
      Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED));
      assertThat(first.readToEnd()).isEmpty();
      try (var back = Peer.connect(proxy.node(1))) {
        back.write(Frames.heartbeat(2));
        back.frame();
        first.leave();
        assertThat(second.readToEnd()).isEmpty();
        second.leave();
        Asked.untilSettled(proxy);
        assertThat(Asked.lastDrain(proxy).counted().reconnectWaitsRanOut()).isZero();
      }
    }
  }
}
