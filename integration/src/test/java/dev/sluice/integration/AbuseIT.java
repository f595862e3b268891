package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.Lap;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.proxy.NetworkSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is done to one virtual cluster, the clients of another notice nothing of it. */
@ExtendWith(KafkaCluster.class)
class AbuseIT {

  /**
   * Of clients that break, of brokers that do, and of those that are slow, for the ordinary run.
   */
  private static final Set<Abuse> FEW =
      EnumSet.of(
          Abuse.NONSENSE, Abuse.BROKEN_RESPONSES_OF_EVERY_API, Abuse.SLOW_READERS_OF_LARGE_FETCHES);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int FEW_RECORDS = Load.DEFAULT.recordsPerSecond() / 4;
  private static final int MANY_RECORDS = Load.DEFAULT.recordsPerSecond() * 20;

  @TempDir Path folder;

  @Test
  void others_notice_nothing_of_a_few_abuses(EmbeddedCluster kafka) throws Exception {
    abuse(kafka, NetworkSpec.DEFAULT, Selection.parse("java-classic"), FEW, FEW_RECORDS);
  }

  @Test
  @Tag("acceptance")
  void others_notice_nothing_of_any_abuse(EmbeddedCluster kafka) throws Exception {
    abuse(kafka, AbuseStage.IMPATIENT, Selection.ALL, EnumSet.allOf(Abuse.class), MANY_RECORDS);
  }

  /**
   * One after the other.
   *
   * @param records of each producer that pass during each of them
   */
  private void abuse(
      EmbeddedCluster kafka, NetworkSpec network, Selection clients, Set<Abuse> abuses, int records)
      throws Exception {
    try (var leaks = Leaks.watched();
        var stage = new AbuseStage(kafka, network, folder)) {
      var plan =
          AuditPlan.of(stage.proxy().bootstrapServers(AbuseStage.WELL))
              .withWitness(kafka.bootstrapServers())
              .withClients(clients)
              .withPrograms(AuditIT.PROGRAMS);
      try (var audit = Audit.start(plan, new LogbackSource())) {
        audit.skipped().forEach(client -> System.out.println("SKIPPED: " + client));
        assertThat(audit.awaitWarm(System.out::println)).as("clients without progress").isEmpty();
        audit.enter(Window.EVENT);
        var _ = audit.lap();
        for (var abuse : abuses) {
          during(abuse, stage, audit, records);
        }
        Unnoticed.assertUnnoticed(audit.finish());
      }
      stage.awaitLeft();
      leaks.assertNone();
    }
  }

  private static void during(Abuse abuse, AbuseStage stage, Audit audit, int records)
      throws Exception {
    long attempts;
    long connections;
    var before = stage.ended();
    try (var abuser = abuse.begin(stage.targets(), stage.upstream())) {
      await().atMost(PATIENCE).until(abuser::connections, some -> some > 0);
      Audits.awaitLoad(audit, records);
      attempts = abuser.attempts();
      connections = abuser.connections();
    }
    stage.awaitLeft();
    var noticed = noticed(audit.lap());
    System.out.printf(
        "ABUSE: %s: %,d attempts, %,d connections; ended: %s; noticed by others: %s%n",
        abuse.shown(), attempts, connections, since(before, stage), noticed);
    assertThat(connections).as("of %s", abuse).isPositive();
    assertThat(noticed).as("what others noticed of %s", abuse).isEmpty();
  }

  /** By whom, of which virtual cluster, for which cause connections have ended since. */
  private static List<String> since(Map<String, Long> before, AbuseStage stage) {
    return stage.ended().entrySet().stream()
        .map(one -> Map.entry(one.getKey(), one.getValue() - before.getOrDefault(one.getKey(), 0L)))
        .filter(one -> one.getValue() > 0)
        .map(one -> one.getKey() + " " + one.getValue())
        .toList();
  }

  /**
   * But for warnings, of which transactions have some at all times: these are judged at the end.
   */
  private static Set<String> noticed(SortedMap<String, Lap> laps) {
    var noticed = new TreeSet<String>();
    laps.forEach(
        (client, lap) ->
            lap.kinds().keySet().stream()
                .filter(kind -> !kind.startsWith(Measure.WARNINGS.shown()))
                .forEach(kind -> noticed.add(client + ": " + kind)));
    return noticed;
  }
}
