package dev.sluice.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.PauseLimit;
import dev.sluice.audit.ledger.Verdict;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Each fault is made between a real client and a real broker, and must be found by its name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsAreFoundTest {

  private static final int RECORDS = 400;

  /** The second of them has begun after the event did. */
  private static final int FAULTS = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /**
   * Not so: a transaction that follows at once on another is refused and tried again, with a
   * warning (CONCURRENT_TRANSACTIONS); a group may be assigned in two steps.
   */
  private static final EnumSet<Measure> NEVER_OF_KAFKA_ITSELF =
      EnumSet.complementOf(
          EnumSet.of(
              Measure.SENT,
              Measure.ACKNOWLEDGED,
              Measure.SEEN,
              Measure.WARNINGS,
              Measure.REBALANCES));

  private EmbeddedCluster kafka;

  @BeforeAll
  void start() throws InterruptedException {
    kafka = EmbeddedCluster.start(ClusterPlan.combined(1));
  }

  @AfterAll
  void stop() {
    kafka.close();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_clean_run_finds_nothing() throws InterruptedException {
    var report = audit("java", Fault.None::new, 0);

    assertThat(judged(report).breaches()).isEmpty();
    assertThat(report.clients()).hasSize(9);
    for (Measure measure : NEVER_OF_KAFKA_ITSELF) {
      assertThat(report.total(measure))
          .as(String.join("\n", ReportTable.lines(report, judged(report))))
          .isZero();
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void records_that_were_acknowledged_and_dropped_are_lost() throws InterruptedException {
    var report = audit("java-classic", Fault.Loses::new);

    assertThat(judged(report).breaches())
        .singleElement()
        .asString()
        .startsWith("java-plain: lost ");
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void records_that_were_written_twice_are_duplicated() throws InterruptedException {
    var report = audit("java-plain", Fault.Duplicates::new);

    assertThat(judged(report).breaches())
        .singleElement()
        .asString()
        .startsWith("java-plain: duplicated ");
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_reader_is_given_what_was_written_twice_twice() throws InterruptedException {
    var report = audit("java-classic", Fault.Duplicates::new);

    assertThat(judged(report).breaches())
        .satisfiesExactly(
            breach -> assertThat(breach).startsWith("java-plain: duplicated "),
            breach -> assertThat(breach).startsWith("java-classic: duplicated "));
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void records_that_overtook_others_are_reordered() throws InterruptedException {
    var report = audit("java-plain", Fault.Reorders::new);

    assertThat(judged(report).breaches())
        .singleElement()
        .asString()
        .startsWith("java-plain: reordered ");
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_stall_is_a_pause_and_nothing_else() throws InterruptedException {
    var limits = Limits.DEFAULT.withPause(PauseLimit.parse("1s"));

    var report = audit("java-plain", Fault.Stalls::new);

    assertThat(limits.judge(report).breaches())
        .singleElement()
        .asString()
        .startsWith("java-plain: pause ");
    assertThat(Limits.DEFAULT.judge(report).passed()).isTrue();
    assertThat(client(report, "java-plain").longestPause(Window.EVENT))
        .isGreaterThanOrEqualTo(Fault.Stalls.STALL.minusMillis(100));
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_broken_connection_is_a_disconnect_that_cancels_requests_by_api()
      throws InterruptedException {
    var report = audit("java-idempotent", Fault.Breaks::new);

    var found = client(report, "java-idempotent");
    assertThat(found.total(Measure.DISCONNECTS)).isPositive();
    assertThat(found.total(Measure.CANCELLED)).isPositive();
    assertThat(found.windows().get(Window.EVENT))
        .satisfies(page -> assertThat(page.kinds()).containsKeys("cancelled: PRODUCE"));
    assertThat(found.total(Measure.LOST)).isZero();
    assertThat(found.total(Measure.DUPLICATED)).isZero();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void an_address_where_nothing_answers_is_an_error_and_no_proof() {
    var relay = Relay.inFrontOf(kafka.bootstrapServers());
    relay.close();

    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> Audit.start(plan(relay, "java-plain"), new LogbackSource())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(relay.bootstrapServers());
  }

  private AuditReport audit(String clients, Supplier<Fault> fault) throws InterruptedException {
    return audit(clients, fault, FAULTS);
  }

  /** However many records a producer sends in one request, so many faults are made in the event. */
  private AuditReport audit(String clients, Supplier<Fault> fault, int faults)
      throws InterruptedException {
    try (var relay = Relay.inFrontOf(kafka.bootstrapServers());
        var audit = Audit.start(plan(relay.doing(fault), clients), new LogbackSource())) {
      assertThat(audit.awaitWarm(_ -> {})).isEmpty();
      audit.enter(Window.EVENT);
      long before = audit.sent();
      int made = relay.wrongs();
      await("load").atMost(PATIENCE).until(audit::sent, sent -> sent > before + RECORDS);
      await("faults").atMost(PATIENCE).until(relay::wrongs, wrongs -> wrongs >= made + faults);
      return audit.finish();
    }
  }

  /** One partition, so that a Produce request is one partition's, and order is the log's. */
  private static AuditPlan plan(Relay relay, String clients) {
    return AuditPlan.of(relay.bootstrapServers())
        .withClients(Selection.parse(clients))
        .withPartitions(1);
  }

  private static ClientReport client(AuditReport report, String name) {
    return report.clients().stream()
        .filter(client -> client.client().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Verdict judged(AuditReport report) {
    return Limits.DEFAULT.judge(report);
  }
}
