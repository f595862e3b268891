package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.protocol.BrokerQuestion;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** Old and new must not be seen together: who arrives meanwhile is held. */
class ReloadByDrainTest {

  @Test
  void who_arrives_during_the_drain_is_served_by_the_new_generation_only() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var former = answering(mayAnswer);
        var next = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(former);
        var old = proxy.connect()) {
      old.write(Frames.heartbeat(1));
      await().until(former::served, served -> served == 1);
      var spec =
          ProxyUnderTest.cluster(ProxyUnderTest.NAME, next.endpoint(), proxy.bootstrap().port());
      Asked.switched(proxy, spec, Way.DRAIN);
      try (var held = proxy.connect()) {
        held.write(Frames.heartbeat(2));
        assertThat(proxy.view().life().state()).isInstanceOf(Draining.class);
        mayAnswer.countDown();
        assertThat(old.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
        old.leave();
        assertThat(held.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
        assertThat(next.served()).isEqualTo(1);
        assertThat(former.served()).isEqualTo(1);
      }
      Asked.untilSettled(proxy);
      assertThat(proxy.view().life().generation()).isEqualTo(2);
      assertThat(Asked.lastDrain(proxy).way()).isEqualTo(Way.DRAIN);
    }
  }

  @Test
  void who_is_held_at_a_port_that_is_left_is_served_too_and_so_is_who_comes_later()
      throws Exception {
    int elsewhere = FreePorts.inARow(ProxyUnderTest.NODES + 1);
    var mayAnswer = new CountDownLatch(1);
    try (var former = answering(mayAnswer);
        var next = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(former);
        var old = proxy.connect()) {
      var before = proxy.bootstrap();
      old.write(Frames.heartbeat(1));
      await().until(former::served, served -> served == 1);
      Asked.switched(
          proxy,
          ProxyUnderTest.cluster(ProxyUnderTest.NAME, next.endpoint(), elsewhere),
          Way.DRAIN);
      try (var held = Peer.connect(before)) {
        held.write(Frames.heartbeat(2));
        mayAnswer.countDown();
        old.readToEnd();
        old.leave();
        assertThat(held.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      }
      Asked.untilSettled(proxy);
      ProxyUnderTest.assertEchoedAt(before);
    }
  }

  @Test
  void a_shutdown_that_overtakes_the_reload_lets_the_held_go_and_ends() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var former = answering(mayAnswer);
        var next = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(former);
        var old = proxy.connect()) {
      old.write(Frames.heartbeat(1));
      await().until(former::served, served -> served == 1);
      var spec =
          ProxyUnderTest.cluster(ProxyUnderTest.NAME, next.endpoint(), proxy.bootstrap().port());
      Asked.switched(proxy, spec, Way.DRAIN);
      try (var held = proxy.connect()) {
        held.write(Frames.heartbeat(2));
        var _ = proxy.proxy().stop("now");
        assertThat(held.readToEnd()).isEmpty();
        assertThat(proxy.view().life().state())
            .isInstanceOfSatisfying(
                Draining.class,
                state -> assertThat(state.purpose()).isEqualTo(new Purpose.Shutdown()));
      }
      mayAnswer.countDown();
      old.readToEnd();
      old.leave();
      proxy.awaitEnded();
      assertThat(next.served()).isZero();
    }
  }

  @Test
  void the_ids_of_both_kafka_clusters_are_known_when_a_generation_is_prepared() throws Exception {
    try (var former = telling("old-cluster");
        var next = telling("new-cluster");
        var proxy = ProxyUnderTest.inFrontOf(former)) {
      var spec =
          ProxyUnderTest.cluster(ProxyUnderTest.NAME, next.endpoint(), proxy.bootstrap().port());
      var accepted = Asked.of(proxy.proxy().reconfiguration().accept(spec));
      Asked.untilPrepared(proxy, accepted.generation());
      var ids = proxy.proxy().reconfiguration();
      assertThat(ids.upstreamClusterId(ProxyUnderTest.NAME, 1)).contains("old-cluster");
      assertThat(ids.upstreamClusterId(ProxyUnderTest.NAME, 2)).contains("new-cluster");
      assertThat(ids.upstreamClusterId(ProxyUnderTest.NAME, 3)).isEmpty();
    }
  }

  private static StubBroker answering(CountDownLatch mayAnswer) {
    return new StubBroker(
        client -> {
          var first = client.frame();
          mayAnswer.await();
          client.write(Frames.echoed(first));
          StubBroker.echo(client);
        });
  }

  private static StubBroker telling(String clusterId) {
    return new StubBroker(
        StubBroker::echo,
        asking ->
            asking.write(
                Frames.response(
                    ApiKeys.METADATA,
                    BrokerQuestion.VERSION,
                    0,
                    new MetadataResponseData().setClusterId(clusterId))));
  }
}
