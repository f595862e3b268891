package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.reload.ClusterOutcome.Switched;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.WayChoice.Because;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ReloadReport;
import dev.sluice.proxy.ReloadReport.ClusterReport;
import dev.sluice.proxy.ReloadReport.Verdict;
import dev.sluice.proxy.ReloadRequest;
import dev.sluice.proxy.VirtualClusterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Changes of configurations, and reloads that have to come out right. */
final class Reloads {

  private static final long PATIENCE_SECONDS = 60;

  private Reloads() {}

  static ReloadReport reload(Proxy proxy, VirtualClusterSpec... clusters) throws Exception {
    return reload(proxy, ReloadPolicy.DEFAULT, clusters);
  }

  static ReloadReport reload(Proxy proxy, ReloadPolicy policy, VirtualClusterSpec... clusters)
      throws Exception {
    var report =
        proxy
            .reload(new ReloadRequest(Arrays.asList(clusters), policy))
            .toCompletableFuture()
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    System.out.println("RELOAD: " + shown(report));
    return report;
  }

  /** The one cluster that was switched, by this way. */
  static ClusterReport switched(ReloadReport report, String name, Way way) {
    assertThat(report.verdict()).as(shown(report)).isEqualTo(Verdict.APPLIED);
    var cluster = of(report, name);
    assertThat(cluster.outcome().orElseThrow())
        .as(shown(report))
        .isInstanceOfSatisfying(
            Switched.class, switched -> assertThat(switched.choice().way()).isEqualTo(way));
    return cluster;
  }

  /** To another Kafka cluster, quietly. */
  static void movedUnderLoad(ReloadReport report, String name) {
    var moved = switched(report, name, Way.DRAIN);
    assertThat(moved.outcome().orElseThrow())
        .isInstanceOfSatisfying(
            Switched.class,
            switched ->
                assertThat(switched.choice().because()).isEqualTo(Because.ANOTHER_KAFKA_CLUSTER));
    assertThat(moved.departure())
        .hasValueSatisfying(
            departure -> {
              assertThat(departure.connections()).as("under load").isPositive();
              assertThat(departure.counted().noticed()).as("%s", departure).isZero();
            });
  }

  static ClusterReport of(ReloadReport report, String name) {
    return report.clusters().stream()
        .filter(cluster -> cluster.change().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static String shown(ReloadReport report) {
    var affected = report.clusters().stream().filter(one -> one.outcome().isPresent()).toList();
    return report.verdict()
        + " in "
        + report.took().toMillis()
        + " ms, "
        + affected.size()
        + " of "
        + report.clusters().size()
        + " affected: "
        + affected;
  }

  static VirtualClusterSpec withLimits(VirtualClusterSpec spec, int maxConnections) {
    var limits =
        new LimitsSpec(spec.limits().maxFrameSize(), maxConnections, spec.limits().maxInFlight());
    return new VirtualClusterSpec(
        spec.name(), spec.drain(), spec.bootstrapServers(), spec.gateways(), limits);
  }

  static VirtualClusterSpec withDrainTimeout(VirtualClusterSpec spec, Duration drainTimeout) {
    return new VirtualClusterSpec(
        spec.name(), drainTimeout, spec.bootstrapServers(), spec.gateways(), spec.limits());
  }

  static VirtualClusterSpec withServers(VirtualClusterSpec spec, List<Endpoint> servers) {
    return new VirtualClusterSpec(
        spec.name(), spec.drain(), servers, spec.gateways(), spec.limits());
  }

  /** The bootstrap address stays; nodes are presented on other ports. */
  static VirtualClusterSpec withNodesFrom(VirtualClusterSpec spec, int port) {
    var gateway = spec.gateways().getFirst();
    var moved =
        new GatewaySpec(
            gateway.name(),
            gateway.bindAddress(),
            gateway.bootstrapAddress(),
            port,
            gateway.nodeIdRanges(),
            gateway.advertisedBrokerAddressPattern());
    return new VirtualClusterSpec(
        spec.name(), spec.drain(), spec.bootstrapServers(), List.of(moved), spec.limits());
  }
}
