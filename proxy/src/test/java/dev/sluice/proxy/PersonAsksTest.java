package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.Step;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a person, or a reload, asks of one virtual cluster while the others go on. */
class PersonAsksTest {

  @Test
  void a_cluster_under_reload_is_not_restarted_drained_or_started() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var accepted = Asked.of(proxy.proxy().reconfiguration().accept(proxy.view().spec()));
      Asked.untilPrepared(proxy, accepted.generation());
      for (var asked :
          List.of(
              Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED)),
              Asked.of(proxy.proxy().drain(ProxyUnderTest.NAME)),
              Asked.of(proxy.proxy().start(ProxyUnderTest.NAME)))) {
        assertThat(asked).isInstanceOf(Step.Refused.class);
        assertThat(asked.reason().code()).isEqualTo(Reason.Code.UNDER_RELOAD);
      }
      assertThat(proxy.proxy().restart("nobody", ClientConnections.KEPT)).isEmpty();
    }
  }

  @Test
  void a_person_drains_a_cluster_and_starts_it_again() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      Asked.of(proxy.proxy().drain(ProxyUnderTest.NAME));
      proxy.awaitState(ProxyUnderTest.NAME, Stopped.class);
      await().untilAsserted(() -> ProxyUnderTest.assertRefusedAt(proxy.bootstrap()));
      assertThat(Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED)))
          .isInstanceOf(Step.Refused.class);
      Asked.of(proxy.proxy().start(ProxyUnderTest.NAME));
      proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
      assertThat(proxy.view().life().former()).isPresent();
      try (var client = proxy.connect()) {
        client.write(Frames.heartbeat(1));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      }
    }
  }

  @Test
  void a_removed_cluster_leaves_no_series_and_comes_back_with_its_former_end() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(broker, "one", "two")) {
      var spec = proxy.proxy().virtualCluster("two").orElseThrow().spec();
      Asked.of(proxy.proxy().reconfiguration().remove("two"));
      await().until(() -> proxy.proxy().virtualCluster("two").isEmpty());
      await()
          .untilAsserted(
              () ->
                  assertThat(proxy.registry().getMeters())
                      .noneMatch(meter -> "two".equals(meter.getId().getTag("virtual_cluster"))));
      assertThat(Asked.of(proxy.proxy().reconfiguration().add(spec)))
          .isInstanceOf(Step.Noted.class);
      proxy.awaitState("two", Serving.class);
      var former = proxy.proxy().virtualCluster("two").orElseThrow().life().former();
      assertThat(former.orElseThrow().reason().code()).isEqualTo(Reason.Code.QUIESCED);
      try (var client = Peer.connect(spec.gateways().getFirst().bootstrapAddress())) {
        client.write(Frames.heartbeat(1));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      }
    }
  }

  @Test
  void a_cluster_is_added_beside_others() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(broker, "one")) {
      var more = ProxyUnderTest.cluster("two", broker.endpoint(), FreePorts.inARow(3));
      Asked.of(proxy.proxy().reconfiguration().add(more));
      proxy.awaitState("two", Serving.class);
      assertThat(Asked.of(proxy.proxy().reconfiguration().add(more)))
          .isInstanceOf(Step.Refused.class);
      assertThat(proxy.proxy().virtualClusters())
          .extracting(view -> view.life().name())
          .containsExactly("one", "two");
    }
  }

  @Test
  void where_ports_close_first_a_shutdown_refuses_while_it_still_drains() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var broker =
            new StubBroker(
                client -> {
                  var first = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(first));
                });
        var proxy = ProxyUnderTest.closingPortsFirst(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      var _ = proxy.proxy().stop("now");
      await().untilAsserted(() -> ProxyUnderTest.assertRefusedAt(proxy.bootstrap()));
      proxy.awaitState(ProxyUnderTest.NAME, Draining.class);
      mayAnswer.countDown();
      assertThat(client.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      client.leave();
      proxy.awaitEnded();
    }
  }

  private static ProxyUnderTest start(StubBroker broker, String... names) {
    var clusters =
        Arrays.stream(names)
            .map(
                name ->
                    ProxyUnderTest.cluster(
                        name, broker.endpoint(), FreePorts.inARow(ProxyUnderTest.NODES + 1)))
            .toList();
    var proxy =
        ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.copyOf(clusters));
    for (var name : names) {
      proxy.awaitState(name, Serving.class);
    }
    return proxy;
  }
}
