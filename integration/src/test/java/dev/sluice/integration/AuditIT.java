package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nothing is lost, duplicated or reordered, and no application sees an error. */
@ExtendWith(KafkaCluster.class)
class AuditIT {

  /** Where {@code audit/clients/setup} puts clients in other languages, seen from this module. */
  static final Path PROGRAMS = Path.of("..", "audit", "target", "clients");

  /** Producers that are not slowed by transactions or their language: these keep to the rate. */
  static final int OF_JAVA = 4;

  static final int OF_ALL = 10;

  private static final int OF_OTHERS = 3;

  @Test
  void java_clients_lose_nothing_through_the_proxy(EmbeddedCluster kafka) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, "orders")) {
      var plan = AuditPlan.of(proxy.bootstrapServers("orders"));

      assertClean(audit(plan, 10, OF_JAVA));
    }
  }

  @Test
  void clients_of_other_languages_lose_nothing_through_the_proxy(EmbeddedCluster kafka)
      throws Exception {
    boolean there = Files.isDirectory(PROGRAMS.resolve("bin"));
    if (!there) {
      System.err.println("SKIPPED: clients of other languages: run audit/clients/setup first");
    }
    assumeTrue(there, "clients of other languages are not set up");
    try (var proxy = RunningProxy.inFrontOf(kafka, "orders")) {
      var plan = AuditPlan.of(proxy.bootstrapServers("orders")).withClients(Selection.PROGRAMS);

      assertClean(audit(plan.withPrograms(PROGRAMS), 6, OF_OTHERS));
    }
  }

  @Test
  @Tag("acceptance")
  void no_client_loses_anything_through_the_proxy(EmbeddedCluster kafka) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, "orders")) {
      var plan = AuditPlan.of(proxy.bootstrapServers("orders")).withClients(Selection.ALL);

      assertClean(audit(plan.withPrograms(PROGRAMS), 60, OF_ALL));
    }
  }

  @Test
  @Tag("acceptance")
  void no_client_loses_anything_without_a_proxy(EmbeddedCluster kafka) throws Exception {
    var plan = AuditPlan.of(kafka.bootstrapServers()).withClients(Selection.ALL);

    assertClean(audit(plan.withPrograms(PROGRAMS), 60, OF_ALL));
  }

  static AuditReport audit(AuditPlan plan, int seconds, int producers) throws InterruptedException {
    try (var audit = Audit.start(plan, new LogbackSource())) {
      audit.skipped().forEach(client -> System.out.println("SKIPPED: " + client));
      assertThat(audit.awaitWarm(System.out::println)).as("clients without progress").isEmpty();
      awaitLoad(audit, seconds / 3, producers);
      audit.enter(Window.EVENT);
      awaitLoad(audit, seconds * 2 / 3, producers);
      return audit.finish();
    }
  }

  /** As many records as so many seconds are worth: a machine that is full takes longer. */
  private static void awaitLoad(Audit audit, int seconds, int producers) {
    long enough = audit.sent() + (long) seconds * Load.DEFAULT.recordsPerSecond() * producers;
    var patience = Clients.PATIENCE.plusSeconds(10L * seconds);
    await().atMost(patience).until(audit::sent, sent -> sent >= enough);
  }

  static void assertClean(AuditReport report) {
    var verdict = Limits.DEFAULT.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches()).as(table).isEmpty();
  }
}
