package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.FreePorts;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.Strategy;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two virtual clusters share a port; one is reloaded under load, and the other shows nothing. */
@ExtendWith(SecureKafka.Given.class)
class SniIT {

  private static final Selection CLIENTS = Selection.parse("java-idempotent,java-consumer");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Limits NOTHING =
      Limits.DEFAULT
          .with(Measure.REBOOTSTRAPS, 0)
          .with(Measure.CANCELLED, 0)
          .with(Measure.DISCONNECTS, 0)
          .with(Measure.WARNINGS, 0);

  /** What clients may notice that have to connect anew, but not: lost, repeated, reordered. */
  private static final Limits NO_HARM =
      Limits.DEFAULT
          .with(Measure.EXCEPTIONS, Long.MAX_VALUE)
          .with(Measure.REBOOTSTRAPS, Long.MAX_VALUE);

  private final int port = FreePorts.inARow(1);

  @Test
  void one_of_two_on_a_port_is_reloaded_in_each_way_and_the_other_shows_nothing(SecureKafka kafka)
      throws Exception {
    var orders = spec("orders", kafka);
    var beside = spec("payments", kafka);
    try (var proxy = TlsIT.running(orders, beside)) {
      try (var changed = start("orders", kafka);
          var neighbour = start("payments", kafka)) {
        awaitLoad(changed);
        changed.enter(Window.EVENT);
        neighbour.enter(Window.EVENT);

        var limits = new LimitsSpec(1_000_000, 5_000, 1_000);
        var now = orders.withLimits(limits);
        assertSwitched(proxy, now, beside, Way.IN_PLACE, ReloadPolicy.DEFAULT);
        awaitLoad(changed);
        var gateway = now.gateways().getFirst();
        now = now.withGateways(List.of(gateway.withTls(Optional.of(kafka.shownWith("TLSv1.3")))));
        assertSwitched(proxy, now, beside, Way.HANDOVER, ReloadPolicy.DEFAULT);
        awaitLoad(changed);
        now = now.withLimits(LimitsSpec.DEFAULT);
        var byDrain =
            new ReloadPolicy(
                ReloadPolicy.DEFAULT.mode(), Strategy.DRAIN, ReloadPolicy.DEFAULT.onFailure());
        assertSwitched(proxy, now, beside, Way.DRAIN, byDrain);
        awaitLoad(changed);

        assertWithin(changed, NO_HARM);
        assertWithin(neighbour, NOTHING);
      }
    }
  }

  private static void assertSwitched(
      RunningProxy proxy,
      VirtualClusterSpec next,
      VirtualClusterSpec beside,
      Way way,
      ReloadPolicy policy)
      throws Exception {
    var report = Reloads.reload(proxy.proxy(), policy, next, beside);
    var cluster = Reloads.switched(report, "orders", way);
    assertThat(cluster.departure())
        .hasValueSatisfying(
            departure -> {
              assertThat(departure.connections()).as("under load").isPositive();
              assertThat(departure.counted().count(Outcome.FORCED)).as("cut").isZero();
            });
  }

  private VirtualClusterSpec spec(String name, SecureKafka kafka) {
    return SecureProxy.speaking(
        SecureProxy.byHostName(name, kafka.at(SecureKafka.TLS), port, kafka.shown()),
        kafka.trusting());
  }

  private Audit start(String name, SecureKafka kafka) throws InterruptedException {
    var plan =
        AuditPlan.of(name + ".sluice.test:" + port)
            .withWitness(kafka.cluster().bootstrapServers())
            .withClients(CLIENTS)
            .withSettings(kafka.trustingClient());
    var audit = Audit.start(plan, new LogbackSource());
    assertThat(audit.awaitWarm(System.out::println)).as("clients of %s", name).isEmpty();
    return audit;
  }

  private static void awaitLoad(Audit audit) {
    long enough = audit.sent() + Load.DEFAULT.recordsPerSecond();
    await().atMost(PATIENCE).until(audit::sent, sent -> sent >= enough);
  }

  private static void assertWithin(Audit audit, Limits limits) throws InterruptedException {
    var report = audit.finish();
    var verdict = limits.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches()).as(table).isEmpty();
  }
}
