package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.quiet.Outcome;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** A person has everything made anew, and clients keep their connections. */
class RestartTest {

  @Test
  void a_client_keeps_its_connection_and_its_broker_is_reached_anew() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      SwitchTest.assertThatServes(client, 1);
      var step = Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.KEPT));
      assertThat(step.reason().code()).isEqualTo(Reason.Code.SWITCHED_IN_PLACE);
      Asked.untilSettled(proxy);
      SwitchTest.assertThatServes(client, 2);
      assertThat(broker.served()).isEqualTo(2);
      var report = Asked.lastDrain(proxy);
      var view = proxy.view();
      assertThat(view.life().generation()).isEqualTo(2);
      assertThat(view.drain()).isEmpty();
      assertThat(view.life().history().transitions())
          .allMatch(move -> move.to() == ClusterState.Kind.SERVING);
      assertThat(report.way()).isEqualTo(Way.IN_PLACE);
      assertThat(report.counted().count(Outcome.SWITCHED)).isEqualTo(1);
      assertThat(proxy.disconnects()).isZero();
      client.leave();
    }
  }

  @Test
  void a_share_consumer_keeps_its_broker_and_holds_nothing_up() throws Exception {
    try (var broker = new StubBroker(SwitchTest::sharing);
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      SwitchTest.acknowledge(client);
      for (int restart = 0; restart < 3; restart++) {
        restart(proxy);
        SwitchTest.assertThatServes(client, restart);
      }
      assertThat(broker.served()).isEqualTo(1);
      assertThat(proxy.view().connections()).isEqualTo(1);
      client.leave();
    }
  }

  @Test
  void a_client_that_has_authenticated_itself_keeps_its_broker() throws Exception {
    var handshake = Frames.request(ApiKeys.SASL_HANDSHAKE, 1, 1, new SaslHandshakeRequestData());
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(handshake);
      client.frame();
      restart(proxy);
      SwitchTest.assertThatServes(client, 2);
      assertThat(broker.served()).isEqualTo(1);
      client.leave();
    }
  }

  @Test
  void a_client_whose_broker_takes_nobody_new_keeps_the_connection_to_it() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      SwitchTest.assertThatServes(client, 1);
      broker.takeNobodyNew();
      restart(proxy);
      SwitchTest.assertThatServes(client, 2);
      assertThat(proxy.disconnects()).isZero();
      client.leave();
    }
  }

  @Test
  void who_arrives_while_a_client_is_waited_for_is_served_at_once() throws Exception {
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
      Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.KEPT));
      try (var arriving = proxy.connect()) {
        SwitchTest.assertThatServes(arriving, 2);
        mayAnswer.countDown();
        assertThat(old.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
        Asked.untilSettled(proxy);
        SwitchTest.assertThatServes(old, 3);
        SwitchTest.assertThatServes(arriving, 4);
        assertThat(proxy.view().connections()).isEqualTo(2);
        arriving.leave();
      }
      old.leave();
    }
  }

  @Test
  void a_shutdown_overtakes_a_client_that_waits_to_be_switched() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var broker =
            new StubBroker(
                client -> {
                  var asked = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(asked));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.KEPT));
      assertThat(proxy.view().drain().orElseThrow().way()).isEqualTo(Way.IN_PLACE);
      var _ = proxy.proxy().stop("now");
      await().until(() -> proxy.view().drain().orElseThrow().way(), Way.DRAIN::equals);
      mayAnswer.countDown();
      assertThat(client.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      client.leave();
      proxy.awaitEnded();
      assertThat(proxy.disconnects(DisconnectCause.DRAINED)).isEqualTo(1);
    }
  }

  @Test
  void hundreds_of_clients_keep_their_connections() throws Exception {
    int count = 300;
    var clients = new ArrayList<Peer>();
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      try {
        for (int i = 0; i < count; i++) {
          var client = proxy.connect();
          clients.add(client);
          SwitchTest.assertThatServes(client, i);
        }
        restart(proxy);
        for (var client : clients) {
          SwitchTest.assertThatServes(client, 1);
        }
        assertThat(broker.served()).isEqualTo(2 * count);
        assertThat(proxy.disconnects()).isZero();
      } finally {
        for (var client : clients) {
          client.close();
        }
      }
    }
  }

  private static void restart(ProxyUnderTest proxy) {
    Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.KEPT));
    Asked.untilSettled(proxy);
  }
}
