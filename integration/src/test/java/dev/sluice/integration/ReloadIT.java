package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.ReloadReport.Verdict;
import dev.sluice.proxy.VirtualClusterSpec;
import io.micrometer.core.instrument.Counter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A virtual cluster is reloaded under load; its clients hardly notice, its neighbour does not. */
@ExtendWith(KafkaCluster.class)
class ReloadIT {

  private static final Selection CLIENTS =
      Selection.parse(
          "java-plain,java-idempotent,java-transactional,java-classic,java-consumer,java-streams");
  private static final Selection NEIGHBOURS = Selection.parse("java-plain,java-classic");

  private static final int PRODUCERS = 3;

  /** What applications may see of a handover is looked at by kind. */
  private static final Limits LIMITS = Limits.DEFAULT.with(Measure.EXCEPTIONS, Long.MAX_VALUE);

  /** The callback of an asynchronous commit, whose connection ended: it says that one may retry. */
  private static final String COMMITTED_LATER = "exceptions: RetriableCommitFailedException.*";

  /** Of the neighbour nothing at all may end. */
  private static final Limits NOTHING =
      Limits.DEFAULT
          .with(Measure.REBOOTSTRAPS, 0)
          .with(Measure.CANCELLED, 0)
          .with(Measure.DISCONNECTS, 0)
          .with(Measure.WARNINGS, 0);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void reloads_in_place_and_by_handover_lose_repeat_and_reorder_nothing(EmbeddedCluster kafka)
      throws Exception {
    alternate(kafka, 5);
  }

  @Test
  @Tag("acceptance")
  void a_hundred_reloads_lose_repeat_and_reorder_nothing(EmbeddedCluster kafka) throws Exception {
    alternate(kafka, 34);
  }

  /** So many of each kind, one after the other. */
  private static void alternate(EmbeddedCluster kafka, int ofEach) throws Exception {
    var neighbour = RunningProxy.spec("neighbour", kafka);
    var here = RunningProxy.spec("orders", kafka);
    int otherPorts = FreePorts.inARow(3);
    try (var proxy = RunningProxy.start(List.of(here, neighbour), RunningProxy.REMAINING)) {
      proxy.awaitServing();
      try (var orders = start(proxy, "orders", CLIENTS);
          var beside = start(proxy, "neighbour", NEIGHBOURS)) {
        awaitLoad(orders, 1);
        double ended = disconnects(proxy, "neighbour");
        orders.enter(Window.EVENT);
        beside.enter(Window.EVENT);
        var now = here;
        for (int i = 0; i < ofEach; i++) {
          now = Reloads.withLimits(now, 9_000 + i);
          reload(proxy, orders, neighbour, now, Way.IN_PLACE);
          now = Reloads.withDrainTimeout(now, Duration.ofSeconds(8 + i % 2));
          reload(proxy, orders, neighbour, now, Way.IN_PLACE);
          int port = i % 2 == 0 ? otherPorts : here.gateways().getFirst().nodeStartPort();
          now = Reloads.withNodesFrom(now, port);
          reload(proxy, orders, neighbour, now, Way.HANDOVER);
        }
        assertThat(disconnects(proxy, "neighbour")).as("neighbour's").isEqualTo(ended);
        assertClean(orders.finish(), LIMITS);
        assertClean(beside.finish(), NOTHING);
      }
    }
  }

  private static void reload(
      RunningProxy proxy,
      Audit audit,
      VirtualClusterSpec neighbour,
      VirtualClusterSpec next,
      Way way)
      throws Exception {
    var report = Reloads.reload(proxy.proxy(), next, neighbour);
    var orders = Reloads.switched(report, "orders", way);
    assertThat(orders.departure())
        .hasValueSatisfying(
            departure -> {
              assertThat(departure.connections()).as("under load").isPositive();
              assertThat(departure.counted().count(Outcome.FORCED)).as("cut").isZero();
              assertThat(departure.counted().oneWaysLost()).isZero();
              assertThat(departure.counted().unanswered()).doesNotContainKey("Produce");
              if (way == Way.IN_PLACE) {
                assertThat(departure.counted().count(Outcome.SWITCHED)).isPositive();
                assertThat(departure.counted().noticed()).as("%s", departure).isZero();
              }
            });
    awaitLoad(audit, 1);
  }

  @Test
  void bad_configurations_are_noticed_by_nobody_but_whoever_sent_them(EmbeddedCluster kafka)
      throws Exception {
    var neighbour = RunningProxy.spec("neighbour", kafka);
    var orders = RunningProxy.spec("orders", kafka);
    int taken = FreePorts.inARow(3);
    try (var proxy = RunningProxy.start(List.of(orders, neighbour), RunningProxy.REMAINING)) {
      proxy.awaitServing();
      try (var audit = start(proxy, "orders", NEIGHBOURS)) {
        awaitLoad(audit, 1);
        audit.enter(Window.EVENT);
        double ended = disconnects(proxy, "orders");
        var busy = Reloads.withNodesFrom(orders, taken);
        try (var _ = new ServerSocket(taken + 1, 1, InetAddress.getLoopbackAddress())) {
          assertKept(proxy, busy, neighbour, "port " + (taken + 1));
          assertKept(proxy, busy, neighbour, "port " + (taken + 1));
        }
        var nowhere = List.of(new Endpoint("nowhere.invalid", 9092));
        assertKept(proxy, Reloads.withServers(orders, nowhere), neighbour, "nowhere.invalid");
        awaitLoad(audit, 1);
        assertThat(disconnects(proxy, "orders")).as("connections that ended").isEqualTo(ended);
        Reloads.switched(Reloads.reload(proxy.proxy(), busy, neighbour), "orders", Way.HANDOVER);
        awaitLoad(audit, 1);
        assertClean(audit.finish(), LIMITS);
      }
    }
  }

  private static void assertKept(
      RunningProxy proxy, VirtualClusterSpec bad, VirtualClusterSpec neighbour, String cause)
      throws Exception {
    var report = Reloads.reload(proxy.proxy(), bad, neighbour);
    assertThat(report.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(Reloads.of(report, "orders").outcome().orElseThrow())
        .isInstanceOfSatisfying(
            ClusterOutcome.Kept.class, kept -> assertThat(kept.cause()).contains(cause));
  }

  private static Audit start(RunningProxy proxy, String name, Selection clients)
      throws InterruptedException {
    var plan = AuditPlan.of(proxy.bootstrapServers(name)).withClients(clients);
    var audit = Audit.start(plan, new LogbackSource());
    assertThat(audit.awaitWarm(System.out::println)).as("clients of %s", name).isEmpty();
    return audit;
  }

  private static double disconnects(RunningProxy proxy, String name) {
    return proxy
        .registry()
        .get("sluice.disconnects")
        .tag("virtual_cluster", name)
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  /** As many records as so many seconds are worth: a machine that is full takes longer. */
  private static void awaitLoad(Audit audit, int seconds) {
    long enough = audit.sent() + (long) seconds * Load.DEFAULT.recordsPerSecond() * PRODUCERS;
    await().atMost(PATIENCE).until(audit::sent, sent -> sent >= enough);
  }

  private static void assertClean(AuditReport report, Limits limits) {
    var verdict = limits.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches()).as(table).isEmpty();
    for (var client : report.clients()) {
      var noticed = client.windows().get(Window.EVENT);
      assertThat(noticed == null ? Set.<String>of() : noticed.kinds().keySet())
          .as("what %s noticed", client.client())
          .noneMatch("cancelled: PRODUCE"::equals)
          .allMatch(kind -> !kind.startsWith("exceptions") || kind.matches(COMMITTED_LATER));
    }
  }
}
