package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.Step;
import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.lifecycle.reload.Mode;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.proxy.ReloadReport.ClusterReport;
import dev.sluice.proxy.ReloadReport.Verdict;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reloads of a proxy that runs: one at a time, and each cluster for itself. */
class ReloadTest {

  private static final ReloadPolicy ATOMIC =
      new ReloadPolicy(
          Mode.ATOMIC, ReloadPolicy.DEFAULT.strategy(), ReloadPolicy.DEFAULT.onFailure());
  private static final String OTHER = "two";

  private final int ports = FreePorts.inARow(2 * (ProxyUnderTest.NODES + 1));
  private final StubBroker broker = StubBroker.echo();
  private VirtualClusterSpec other;

  @BeforeEach
  void configure() {
    other = ProxyUnderTest.cluster(OTHER, broker.endpoint(), ports + ProxyUnderTest.NODES + 1);
  }

  @AfterEach
  void end() throws Exception {
    broker.close();
  }

  @Test
  void only_what_differs_is_touched() {
    try (var proxy = running()) {
      var now = proxy.view().spec();
      var report = reload(proxy, withDrainTimeout(now, 3), other);

      assertThat(report.verdict()).isEqualTo(Verdict.APPLIED);
      assertThat(report.clusters())
          .extracting(cluster -> cluster.change().kind())
          .containsExactly("changed", "unchanged");
      assertThat(proxy.view().spec().drainTimeout()).isEqualTo(Duration.ofSeconds(3));
    }
  }

  @Test
  void every_part_of_a_configuration_belongs_to_an_aspect() {
    assertThat(VirtualClusterSpec.class.getRecordComponents())
        .as("a new part has to be compared: see Blueprints")
        .extracting(java.lang.reflect.RecordComponent::getName)
        .containsExactly(
            "name", "drain", "bootstrapServers", "gateways", "limits", "filters", "upstreamTls");
  }

  @Test
  void of_those_that_wait_the_newest_runs_and_the_others_are_superseded() throws Exception {
    try (var proxy = running();
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      var now = proxy.view().spec();
      // This one removes a cluster, which waits for its client.
      var first = ask(proxy, ReloadPolicy.DEFAULT, other);
      var second = ask(proxy, ReloadPolicy.DEFAULT, withDrainTimeout(now, 4), other);
      var third = ask(proxy, ReloadPolicy.DEFAULT, withDrainTimeout(now, 5), other);
      client.readToEnd();
      client.leave();

      assertThat(Asked.of(first).verdict()).isEqualTo(Verdict.APPLIED);
      assertThat(Asked.of(second).verdict()).isEqualTo(Verdict.SUPERSEDED);
      assertThat(Asked.of(third).verdict()).isEqualTo(Verdict.APPLIED);
      assertThat(proxy.view().spec().drainTimeout()).isEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void of_an_atomic_reload_nothing_is_switched_if_one_cannot_be_prepared() throws Exception {
    try (var proxy = running();
        var _ = ProxyUnderTest.occupy(ports + 1)) {
      var now = proxy.view().spec();
      var busy = ProxyUnderTest.cluster(OTHER, broker.endpoint(), ports);
      var report = Asked.of(ask(proxy, ATOMIC, withDrainTimeout(now, 3), busy));

      assertThat(report.verdict()).isEqualTo(Verdict.FAILED);
      assertThat(outcome(report, ProxyUnderTest.NAME))
          .isEqualTo(new ClusterOutcome.Cancelled(OTHER));
      assertThat(proxy.view().spec()).isEqualTo(now);
    }
  }

  @Test
  void the_new_name_of_a_cluster_gets_its_ports() {
    try (var proxy = running()) {
      var now = proxy.view().spec();
      var renamed =
          new VirtualClusterSpec(
              "uno", now.drainTimeout(), now.bootstrapServers(), now.gateways(), now.limits());
      var report = reload(proxy, renamed, other);

      assertThat(report.verdict()).isEqualTo(Verdict.APPLIED);
      assertThat(report.warnings()).hasSize(1);
      assertThat(proxy.proxy().virtualCluster(ProxyUnderTest.NAME)).isEmpty();
      assertThat(proxy.proxy().virtualCluster("uno").orElseThrow().life().state())
          .isInstanceOf(Serving.class);
      reload(proxy, now, other);
    }
  }

  @Test
  void a_shutdown_in_the_middle_ends_it() {
    try (var proxy = running()) {
      var now = proxy.view().spec();
      var asked = ask(proxy, ReloadPolicy.DEFAULT, withDrainTimeout(now, 3), other);
      var waiting = ask(proxy, ReloadPolicy.DEFAULT, withDrainTimeout(now, 4), other);
      proxy.stop();

      assertThat(asked.toCompletableFuture()).isCompleted();
      assertThat(Asked.of(waiting).verdict()).isIn(Verdict.CUT_SHORT, Verdict.APPLIED);
    }
  }

  @Test
  void a_person_waits_while_a_reload_concerns_the_cluster() throws Exception {
    try (var proxy = running();
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      var now = proxy.view().spec();
      var asked = ask(proxy, ReloadPolicy.DEFAULT, other);
      var step = Asked.of(proxy.proxy().restart(ProxyUnderTest.NAME, ClientConnections.CLOSED));

      assertThat(step).isInstanceOf(Step.Refused.class);
      assertThat(step.reason().code()).isEqualTo(Reason.Code.UNDER_RELOAD);
      client.readToEnd();
      client.leave();
      assertThat(Asked.of(asked).verdict()).isEqualTo(Verdict.APPLIED);
      assertThat(reload(proxy, now, other).verdict()).isEqualTo(Verdict.APPLIED);
    }
  }

  @Test
  void what_would_be_done_is_told_and_not_done() {
    try (var proxy = running()) {
      var now = proxy.view().spec();
      var request = new ReloadRequest(List.of(withDrainTimeout(now, 3)), ReloadPolicy.DEFAULT);
      var report = Asked.of(proxy.proxy().planReload(request));

      assertThat(report.verdict()).isEqualTo(Verdict.PLANNED);
      assertThat(report.clusters())
          .extracting(ClusterReport::change)
          .first()
          .isInstanceOfSatisfying(
              Changed.class,
              change -> assertThat(change.aspects()).containsExactly(Aspect.DRAIN_TIMEOUT));
      assertThat(proxy.view().spec()).isEqualTo(now);
    }
  }

  private ProxyUnderTest running() {
    var one =
        ProxyUnderTest.cluster(
            ProxyUnderTest.NAME, broker.endpoint(), FreePorts.inARow(ProxyUnderTest.NODES + 1));
    var proxy =
        ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(one, other));
    proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
    proxy.awaitState(OTHER, Serving.class);
    return proxy;
  }

  private static VirtualClusterSpec withDrainTimeout(VirtualClusterSpec spec, int seconds) {
    return new VirtualClusterSpec(
        spec.name(),
        Duration.ofSeconds(seconds),
        spec.bootstrapServers(),
        spec.gateways(),
        spec.limits());
  }

  private static ReloadReport reload(ProxyUnderTest proxy, VirtualClusterSpec... clusters) {
    return Asked.of(ask(proxy, ReloadPolicy.DEFAULT, clusters));
  }

  private static CompletionStage<ReloadReport> ask(
      ProxyUnderTest proxy, ReloadPolicy policy, VirtualClusterSpec... clusters) {
    return proxy.proxy().reload(new ReloadRequest(Arrays.asList(clusters), policy));
  }

  private static ClusterOutcome outcome(ReloadReport report, String name) {
    return report.clusters().stream()
        .filter(cluster -> cluster.change().name().equals(name))
        .findFirst()
        .flatMap(ClusterReport::outcome)
        .orElseThrow();
  }
}
