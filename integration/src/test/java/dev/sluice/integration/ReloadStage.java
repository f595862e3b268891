package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.DrainReport;
import dev.sluice.proxy.ReloadReport;
import dev.sluice.proxy.ReloadReport.Verdict;
import dev.sluice.proxy.VirtualClusterSpec;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Virtual clusters of one proxy: {@code orders} is changed in place and by handover, {@code moving}
 * goes from one Kafka cluster to another by drain, {@code neighbour} is left alone.
 */
final class ReloadStage implements AutoCloseable {

  static final String ORDERS = "orders";
  static final String NEIGHBOUR = "neighbour";
  static final String MOVING = "moving";

  private static final int PORTS = 4;

  private final RunningProxy proxy;
  private final VirtualClusterSpec neighbour;
  private final int nodesFirst;
  private final int nodesElsewhere = FreePorts.inARow(PORTS - 1);
  private VirtualClusterSpec orders;
  private VirtualClusterSpec moving;
  private int changes;

  ReloadStage(EmbeddedCluster kafka) {
    orders = RunningProxy.spec(ORDERS, kafka);
    moving = RunningProxy.spec(MOVING, kafka);
    neighbour = RunningProxy.spec(NEIGHBOUR, kafka);
    nodesFirst = orders.gateways().getFirst().nodeStartPort();
    proxy = RunningProxy.start(List.of(orders, moving, neighbour), RunningProxy.REMAINING);
  }

  RunningProxy proxy() {
    return proxy;
  }

  VirtualClusterSpec orders() {
    return orders;
  }

  // ---- reloads that come to what was asked for -----------------------------------------------

  /** Of several things that may change in place, one after the other. */
  void changeInPlace() throws Exception {
    changes++;
    orders =
        changes % 2 == 0
            ? Reloads.withLimits(orders, 9_000 + changes)
            : Reloads.withDrainTimeout(orders, Duration.ofSeconds(8 + changes % 4));
    var departure = switched(Way.IN_PLACE);
    assertThat(departure.counted().noticed()).as("%s", departure).isZero();
  }

  /** There, and next time back again. */
  void changeByHandover() throws Exception {
    boolean isHome = orders.gateways().getFirst().nodeStartPort() == nodesFirst;
    takeOver(Reloads.withNodesFrom(orders, isHome ? nodesElsewhere : nodesFirst));
  }

  /** Something was refused before, and is accepted now. */
  void takeOver(VirtualClusterSpec next) throws Exception {
    orders = next;
    var departure = switched(Way.HANDOVER);
    assertThat(departure.connections()).as("under load").isPositive();
    assertThat(departure.counted().oneWaysLost()).as("%s", departure).isZero();
    assertThat(departure.counted().unanswered()).doesNotContainKey("Produce");
  }

  /** Nothing is noticed but that nobody serves for a moment. */
  void moveTo(EmbeddedCluster kafka) throws Exception {
    moving = Reloads.withServers(moving, RunningProxy.endpoints(kafka.bootstrapServers()));
    Reloads.movedUnderLoad(reload(orders), MOVING);
  }

  private DrainReport switched(Way way) throws Exception {
    var departure = Reloads.switched(reload(orders), ORDERS, way).departure().orElseThrow();
    assertThat(departure.counted().count(Outcome.FORCED)).as("cut: %s", departure).isZero();
    return departure;
  }

  private ReloadReport reload(VirtualClusterSpec next) throws Exception {
    return Reloads.reload(proxy.proxy(), next, moving, neighbour);
  }

  // ---- reloads that do not -------------------------------------------------------------------

  /** Each time that it is asked for it is tried, and told why it is not done. */
  void assertRefused(VirtualClusterSpec bad, String cause) throws Exception {
    for (int time = 0; time < 2; time++) {
      var report = reload(bad);
      assertThat(report.verdict()).isEqualTo(Verdict.FAILED);
      assertThat(Reloads.of(report, ORDERS).outcome().orElseThrow())
          .isInstanceOfSatisfying(
              ClusterOutcome.Kept.class, kept -> assertThat(kept.cause()).contains(cause));
    }
  }

  // ---- what can be seen ----------------------------------------------------------------------

  /** Where new clients of the one that is changed arrive. */
  Endpoint bootstrap() {
    return orders.gateways().getFirst().bootstrapAddress();
  }

  /** Where its first node was at the beginning: clients may know this place for a while. */
  Endpoint firstNodeAtFirst() {
    return new Endpoint(bootstrap().host(), nodesFirst);
  }

  /** How many connections of a virtual cluster have ended so far. */
  double disconnects(String name) {
    return proxy
        .registry()
        .get("sluice.disconnects")
        .tag("virtual_cluster", name)
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  /** The sockets of the clients of the one that is left alone. */
  Set<String> neighbourSockets() {
    int first = neighbour.gateways().getFirst().bootstrapAddress().port();
    return OpenSockets.acceptedAt(
        IntStream.range(first, first + PORTS).boxed().collect(Collectors.toSet()));
  }

  @Override
  public void close() {
    proxy.close();
  }
}
