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
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Step;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.proxy.ClientConnections;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.DrainReport;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A virtual cluster is restarted under load, and neither its clients nor its neighbour notice. */
@ExtendWith(KafkaCluster.class)
class RestartIT {

  private static final Selection CLIENTS =
      Selection.parse("java-plain,java-idempotent,java-transactional,java-classic,java-consumer");
  private static final Selection NEIGHBOURS = Selection.parse("java-plain,java-classic");

  /** What a client may notice is looked at by kind. */
  private static final Limits LIMITS =
      Limits.DEFAULT.with(Measure.REBOOTSTRAPS, 0).with(Measure.EXCEPTIONS, Long.MAX_VALUE);

  /** The client's own notice of a pause, which the pause needs. */
  private static final String PAUSED =
      "warnings: NetworkClient: Connection to node .* is throttled .*";

  /**
   * The callback of an asynchronous commit that was asked for in the 50 ms in which the Java client
   * does not connect to a coordinator again: it asks nobody, and says that one should retry. No
   * proxy that closes a connection can keep it from that.
   */
  private static final String COMMITTED_LATER = "exceptions: RetriableCommitFailedException.*";

  /** Some connection has ended. */
  private static final String ENDED = "disconnects: .*";

  /**
   * A consumer's Fetch that crossed the end of its connection: one in a few restarts, more on a
   * busy machine. It is asked again and nothing is read twice; only a connection that is kept
   * spares it.
   */
  private static final String FETCHED_AGAIN = "cancelled: FETCH";

  /** What {@link #COMMITTED_LATER} is about, where it was sent already when the end came. */
  private static final String COMMIT_CUT = "cancelled: OFFSET_COMMIT";

  private static final List<String> ALLOWED =
      List.of(PAUSED, COMMITTED_LATER, COMMIT_CUT, ENDED, FETCHED_AGAIN);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How much load there is between two restarts, in records of each producer. */
  private static final long BETWEEN = 2L * Load.DEFAULT.recordsPerSecond();

  @Test
  void five_restarts_are_noticed_by_nobody(EmbeddedCluster kafka) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, "orders");
        var audit = start(proxy, kafka, "orders", Selection.JAVA)) {
      awaitLoad(audit, BETWEEN);
      audit.enter(Window.EVENT);
      for (int restart = 0; restart < 5; restart++) {
        var report = restart(proxy, ClientConnections.KEPT);
        System.out.println("RESTART " + (restart + 1) + ": " + report);
        assertThat(report.way()).isEqualTo(Way.IN_PLACE);
        assertThat(report.connections()).as("connections under load").isPositive();
        assertThat(report.counted().count(Outcome.SWITCHED)).as("%s", report).isPositive();
        assertThat(report.counted().outcomes().keySet())
            .as("%s", report)
            .isSubsetOf(Outcome.SWITCHED, Outcome.CLIENT_LEFT);
        awaitLoad(audit, BETWEEN);
      }
      Unnoticed.assertUnnoticed(audit.finish());
    }
  }

  @Test
  @Tag("acceptance")
  void two_restarts_that_close_connections_lose_repeat_and_reorder_nothing(EmbeddedCluster kafka)
      throws Exception {
    restartClosing(kafka, 2);
  }

  @Test
  @Tag("acceptance")
  void fifty_restarts_that_close_connections_lose_repeat_and_reorder_nothing(EmbeddedCluster kafka)
      throws Exception {
    restartClosing(kafka, 50);
  }

  private static void restartClosing(EmbeddedCluster kafka, int times) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, "orders", "neighbour");
        var orders = start(proxy, kafka, "orders", CLIENTS);
        var neighbour = start(proxy, kafka, "neighbour", NEIGHBOURS)) {
      awaitLoad(orders, BETWEEN);
      double ended = disconnects(proxy, "neighbour");
      orders.enter(Window.EVENT);
      neighbour.enter(Window.EVENT);
      int quiesced = 0;
      for (int restart = 0; restart < times; restart++) {
        var report = restart(proxy, ClientConnections.CLOSED);
        System.out.println("RESTART " + (restart + 1) + ": " + report);
        quiesced += report.counted().count(Outcome.QUIESCED);
        assertThat(report.way()).isEqualTo(Way.HANDOVER);
        assertThat(report.counted().noticed()).as("%s", report).isZero();
        awaitLoad(orders, BETWEEN);
      }
      assertThat(disconnects(proxy, "neighbour")).as("neighbour's connections").isEqualTo(ended);
      assertThat(quiesced).as("connections quiesced").isPositive();
      assertClean(orders.finish(), ALLOWED);
      assertClean(neighbour.finish(), List.of());
    }
  }

  private static Audit start(
      RunningProxy proxy, EmbeddedCluster kafka, String name, Selection clients)
      throws InterruptedException {
    var plan =
        AuditPlan.of(proxy.bootstrapServers(name))
            .withWitness(kafka.bootstrapServers())
            .withClients(clients);
    var audit = Audit.start(plan, new LogbackSource());
    assertThat(audit.awaitWarm(_ -> {})).as("clients of %s without progress", name).isEmpty();
    return audit;
  }

  private static DrainReport restart(RunningProxy proxy, ClientConnections clients)
      throws Exception {
    var before = view(proxy).lastDrain();
    var step =
        proxy
            .proxy()
            .restart("orders", clients)
            .orElseThrow()
            .toCompletableFuture()
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(step).isInstanceOf(Step.Moved.class);
    await()
        .atMost(PATIENCE)
        .until(
            () -> view(proxy),
            view -> !view.life().state().isUnderReload() && !view.lastDrain().equals(before));
    return view(proxy).lastDrain().orElseThrow();
  }

  private static ClusterView view(RunningProxy proxy) {
    return proxy.proxy().virtualCluster("orders").orElseThrow();
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

  private static void awaitLoad(Audit audit, long recordsOfEach) {
    int producers = 3;
    long enough = audit.sent() + recordsOfEach * producers;
    await().atMost(PATIENCE).until(audit::sent, sent -> sent >= enough);
  }

  private static void assertClean(AuditReport report, List<String> allowed) {
    var verdict = LIMITS.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches()).as(table).isEmpty();
    for (var client : report.clients()) {
      var before = new HashSet<String>();
      before.addAll(kinds(client, Window.WARMING));
      before.addAll(kinds(client, Window.BASELINE));
      assertThat(kinds(client, Window.EVENT))
          .as("what %s noticed that it had not before", client.client())
          .allMatch(kind -> before.contains(kind) || allowed.stream().anyMatch(kind::matches));
    }
  }

  private static Set<String> kinds(ClientReport client, Window window) {
    var page = client.windows().get(window);
    return page == null ? Set.of() : page.kinds().keySet();
  }
}
