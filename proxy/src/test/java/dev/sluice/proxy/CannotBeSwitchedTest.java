package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** Clients that another generation cannot take over have to come back, in an order. */
class CannotBeSwitchedTest {

  @Test
  void a_client_that_has_authenticated_itself_is_asked_to_come_back() throws Exception {
    var handshake = Frames.request(ApiKeys.SASL_HANDSHAKE, 1, 1, new SaslHandshakeRequestData());
    try (var first = StubBroker.echo();
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      client.write(handshake);
      client.frame();
      SwitchTest.assertThatServes(client, 2);
      Asked.switched(proxy, SwitchTest.behind(proxy, second), Way.IN_PLACE);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      Asked.untilSettled(proxy);
      assertThat(second.served()).isZero();
    }
  }

  @Test
  void a_client_whose_new_broker_cannot_be_reached_is_asked_to_come_back() throws Exception {
    try (var first = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      SwitchTest.assertThatServes(client, 1);
      int nobody = FreePorts.inARow(1);
      var spec = SwitchTest.behind(proxy, new Endpoint("127.0.0.1", nobody));
      Asked.switched(proxy, spec, Way.IN_PLACE);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      Asked.untilSettled(proxy);
    }
  }

  @Test
  void connections_of_one_client_end_node_by_node() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var first =
            new StubBroker(
                client -> {
                  client.write(Frames.echoed(client.frame()));
                  for (var asked = client.tryFrame(); asked.isPresent(); ) {
                    mayAnswer.await();
                    client.write(Frames.echoed(asked.get()));
                    asked = client.tryFrame();
                  }
                });
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var atOne = authenticated(proxy.node(1));
        var atTwo = authenticated(proxy.node(2))) {
      atOne.write(Frames.heartbeat(2));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      Asked.switched(proxy, SwitchTest.behind(proxy, second), Way.IN_PLACE);
      // It would be idle for long enough to be ended, if it were its turn.
      await().during(Duration.ofMillis(900)).until(() -> proxy.disconnects() == 0);
      mayAnswer.countDown();
      assertThat(atOne.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      atOne.leave();
      assertThat(atTwo.readToEnd()).isEmpty();
      atTwo.leave();
      Asked.untilSettled(proxy);
      assertThat(Asked.lastDrain(proxy).counted().count(Outcome.QUIESCED)).isEqualTo(2);
    }
  }

  private static Peer authenticated(Endpoint at) throws IOException {
    var client = Peer.connect(at);
    client.write(Frames.request(ApiKeys.SASL_HANDSHAKE, 1, 1, new SaslHandshakeRequestData()));
    client.frame();
    return client;
  }
}
