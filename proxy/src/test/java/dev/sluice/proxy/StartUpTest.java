package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Escalation;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.Step;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What a cluster gets wrong concerns that cluster, is said, and can be seen while it lasts. */
class StartUpTest {

  private static final FailurePolicy REMAINING =
      new FailurePolicy(FailurePolicy.Serve.REMAINING, Optional.empty());
  private static final Endpoint NOWHERE = new Endpoint("127.0.0.1", 1);

  @Test
  void a_busy_port_fails_its_cluster_with_port_purpose_and_holder_and_others_serve()
      throws IOException {
    int bad = FreePorts.inARow(3);
    int good = FreePorts.inARow(3);
    try (var busy = ProxyUnderTest.occupy(bad + 2);
        var broker = StubBroker.echo();
        var proxy =
            start(
                REMAINING,
                ProxyUnderTest.cluster("bad", broker.endpoint(), bad),
                ProxyUnderTest.cluster("good", broker.endpoint(), good))) {
      proxy.awaitState("good", Serving.class);
      proxy.awaitState("bad", Failed.class);
      var failure = failure(proxy, "bad");
      assertThat(failure.code()).isEqualTo("port-busy");
      assertThat(failure.cause())
          .contains("port " + (bad + 2), "node 2 of gateway local", "process ")
          .contains(Long.toString(ProcessHandle.current().pid()));
      // All others of its sockets are released.
      ProxyUnderTest.occupy(bad).close();
      ProxyUnderTest.occupy(bad + 1).close();
      try (var client = Peer.connect(new Endpoint("127.0.0.1", good))) {
        client.write(Frames.heartbeat(1));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      }
      ProxyUnderTest.free(busy);
      assertThat(proxy.proxy().retry("bad")).isPresent();
      proxy.awaitState("bad", Serving.class);
      try (var client = Peer.connect(new Endpoint("127.0.0.1", bad))) {
        client.write(Frames.heartbeat(2));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      }
    }
  }

  @Test
  void a_failed_cluster_stays_failed_until_it_is_moved() throws IOException {
    int port = FreePorts.inARow(3);
    try (var _ = ProxyUnderTest.occupy(port);
        var proxy = start(REMAINING, ProxyUnderTest.cluster("bad", NOWHERE, port))) {
      proxy.awaitState("bad", Failed.class);
      await()
          .during(Duration.ofMillis(300))
          .until(() -> proxy.proxy().lives().getFirst().state() instanceof Failed);
      assertThat(proxy.proxy().isStopping()).isFalse();
    }
  }

  @Test
  void under_serve_none_a_failure_ends_the_proxy_and_no_port_was_ever_open_to_clients()
      throws Exception {
    int bad = FreePorts.inARow(3);
    int good = FreePorts.inARow(3);
    try (var _ = ProxyUnderTest.occupy(bad);
        var broker = StubBroker.echo();
        var proxy =
            start(
                FailurePolicy.DEFAULT,
                ProxyUnderTest.cluster("good", broker.endpoint(), good),
                ProxyUnderTest.cluster("bad", broker.endpoint(), bad))) {
      var ended = proxy.awaitEnded();
      assertThat(ended.byPolicy()).isTrue();
      assertThat(ended.why()).contains("serve: none", "bad has failed", "port " + bad);
      assertThat(broker.served()).isZero();
      assertThat(proxy.proxy().lives()).allMatch(life -> life.state() instanceof Stopped);
      try (ServerSocket free = ProxyUnderTest.occupy(good)) {
        assertThat(free.isBound()).isTrue();
      }
    }
  }

  @Test
  void a_failed_cluster_is_tried_again_by_policy_and_serves_when_the_cause_is_gone()
      throws Exception {
    int port = FreePorts.inARow(3);
    var policy =
        new FailurePolicy(
            FailurePolicy.Serve.NONE,
            Optional.of(
                new FailurePolicy.Retry(
                    FailurePolicy.Retry.UNLIMITED, Duration.ofMillis(50), Duration.ofMillis(200))));
    var told = new Escalations(policy);
    try (var busy = ProxyUnderTest.occupy(port);
        var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.start(
                NetworkSpec.DEFAULT,
                policy,
                List.of(ProxyUnderTest.cluster("one", broker.endpoint(), port)),
                told)) {
      await().until(told.all::size, size -> size >= 3);
      assertThat(told.all).containsOnly(Escalation.FAILED);
      ProxyUnderTest.free(busy);
      proxy.awaitState("one", Serving.class);
    }
  }

  @Test
  void exhausted_retries_end_the_proxy_under_serve_none() throws Exception {
    int port = FreePorts.inARow(3);
    var policy =
        new FailurePolicy(
            FailurePolicy.Serve.NONE,
            Optional.of(new FailurePolicy.Retry(2, Duration.ofMillis(20), Duration.ofMillis(200))));
    var told = new Escalations(policy);
    try (var _ = ProxyUnderTest.occupy(port);
        var proxy =
            ProxyUnderTest.start(
                NetworkSpec.DEFAULT,
                policy,
                List.of(ProxyUnderTest.cluster("one", NOWHERE, port)),
                told)) {
      assertThat(proxy.awaitEnded().byPolicy()).isTrue();
      assertThat(told.all)
          .containsExactly(
              Escalation.FAILED,
              Escalation.FAILED,
              Escalation.FAILED,
              Escalation.RETRIES_EXHAUSTED);
    }
  }

  /** What the policy wants to be told of. */
  private static final class Escalations implements ProxyListener {
    final Queue<Escalation> all = new ConcurrentLinkedQueue<>();
    private final FailurePolicy policy;

    Escalations(FailurePolicy policy) {
      this.policy = policy;
    }

    @Override
    public void stepped(Life before, Life after, Step step) {
      all.addAll(policy.after(step).escalations());
    }
  }

  @Test
  void a_listener_that_fails_changes_nothing() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.start(
                NetworkSpec.DEFAULT,
                REMAINING,
                List.of(ProxyUnderTest.cluster("one", broker.endpoint(), FreePorts.inARow(3))),
                (_, _, _) -> {
                  throw new IllegalStateException("a listener's own trouble");
                })) {
      proxy.awaitState("one", Serving.class);
    }
  }

  @Test
  void not_one_bootstrap_name_that_resolves_fails_the_cluster() {
    try (var proxy =
        start(
            REMAINING,
            ProxyUnderTest.cluster(
                "one", new Endpoint("no-such-host.invalid", 9092), FreePorts.inARow(3)))) {
      proxy.awaitState("one", Failed.class);
      assertThat(failure(proxy, "one").code()).isEqualTo("bootstrap-unresolvable");
      assertThat(failure(proxy, "one").cause()).contains("no-such-host.invalid:9092");
    }
  }

  @Test
  void a_bind_address_that_does_not_resolve_fails_the_cluster() {
    var proxy = withBindAddress("no-such-host.invalid");
    try (proxy) {
      proxy.awaitState("one", Failed.class);
      assertThat(failure(proxy, "one").code()).isEqualTo("bind-failed");
      assertThat(failure(proxy, "one").cause()).contains("no-such-host.invalid", "bindAddress");
    }
  }

  @Test
  void a_bind_address_of_another_machine_fails_the_cluster() {
    try (var proxy = withBindAddress("192.0.2.1")) {
      proxy.awaitState("one", Failed.class);
      assertThat(failure(proxy, "one").code()).isEqualTo("bind-failed");
      assertThat(failure(proxy, "one").cause()).contains("bindAddress", "bootstrap of gateway");
    }
  }

  private static ProxyUnderTest withBindAddress(String bindAddress) {
    int port = FreePorts.inARow(3);
    return start(
        REMAINING,
        new VirtualClusterSpec(
            "one",
            Duration.ofSeconds(1),
            List.of(NOWHERE),
            List.of(ProxyUnderTest.gateway(bindAddress, port)),
            LimitsSpec.DEFAULT));
  }

  @Test
  void a_cluster_whose_brokers_are_all_down_serves() {
    try (var proxy =
        start(FailurePolicy.DEFAULT, ProxyUnderTest.cluster("one", NOWHERE, FreePorts.inARow(3)))) {
      proxy.awaitState("one", Serving.class);
    }
  }

  @Test
  void clusters_stay_initializing_until_all_are_prepared_and_can_be_stopped_then()
      throws Exception {
    int held = FreePorts.inARow(3);
    int bad = FreePorts.inARow(3);
    var policy =
        new FailurePolicy(
            FailurePolicy.Serve.NONE,
            Optional.of(new FailurePolicy.Retry(5, Duration.ofMinutes(5), Duration.ofMinutes(5))));
    try (var _ = ProxyUnderTest.occupy(bad);
        var broker = StubBroker.echo();
        var proxy =
            start(
                policy,
                ProxyUnderTest.cluster("held", broker.endpoint(), held),
                ProxyUnderTest.cluster("bad", broker.endpoint(), bad))) {
      proxy.awaitState("bad", Failed.class);
      assertThat(proxy.proxy().virtualCluster("bad").orElseThrow().life().state())
          .isInstanceOfSatisfying(
              Failed.class,
              failed -> assertThat(failed.recovery()).isInstanceOf(Recovery.RetryAt.class));
      await()
          .during(Duration.ofMillis(200))
          .until(() -> proxy.proxy().lives().getFirst().state() instanceof Initializing);
      assertThat(proxy.stop().byPolicy()).isFalse();
      assertThat(proxy.proxy().lives()).allMatch(life -> life.state() instanceof Stopped);
      ProxyUnderTest.occupy(held).close();
    }
  }

  private static ProxyUnderTest start(FailurePolicy policy, VirtualClusterSpec... clusters) {
    return ProxyUnderTest.start(NetworkSpec.DEFAULT, policy, List.of(clusters));
  }

  private static dev.sluice.lifecycle.Failure failure(ProxyUnderTest proxy, String name) {
    return ((Failed) proxy.proxy().virtualCluster(name).orElseThrow().life().state()).failure();
  }
}
