package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogSource;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.ClusterPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real clusters are rolled under load: nothing is lost, duplicated or refused. */
class RollIT {

  private static final Duration ROLL_LIMIT = Duration.ofMinutes(8);

  /** A moment in a roll is somewhere in this time after its beginning or its last moment. */
  private static final int MOMENT_SECONDS = 7;

  private static final int LOUD_ENOUGH = 20;

  /** A coordinator that moves refuses a commit, which a consumer of Kafka's repeats. */
  private static final String COMMITS_ARE_REPEATED = "java-consumer: exceptions";

  /** What brokers answer under the same name when a transaction's coordinator is on its way. */
  private static final String NOT_VERIFIED = "Unable to verify the partition";

  private final Queue<String> tooFew = new ConcurrentLinkedQueue<>();

  @TempDir private Path folder;

  @Test
  void controllers_and_brokers_are_rolled_and_nothing_is_lost() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.separate(3, 3), folder);
        var proxy = RunningProxy.inFrontOf(bench.kafka(), "orders")) {
      int active = bench.activeController();

      underLoad(
          bench,
          bothWays(bench, proxy),
          () -> {
            var batches = rollOnce(bench, 6);

            assertThat(batches.subList(0, 3)).last().isEqualTo(List.of(active));
            assertThat(batches.subList(3, 6))
                .containsExactlyInAnyOrder(List.of(1), List.of(2), List.of(3));
          });
    }
  }

  @Test
  @Tag("acceptance")
  void combined_servers_are_rolled_and_nothing_is_lost() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.combined(3), folder);
        var proxy = RunningProxy.inFrontOf(bench.kafka(), "orders")) {
      int active = bench.activeController();

      underLoad(
          bench,
          bothWays(bench, proxy),
          () -> assertThat(rollOnce(bench, 3)).last().isEqualTo(List.of(active)));
    }
  }

  /** Audits through the proxy and past it. */
  private static List<AuditPlan> bothWays(RollBench bench, RunningProxy proxy) {
    var direct = AuditPlan.of(bench.kafka().bootstrapServers());
    return List.of(
        AuditPlan.of(proxy.bootstrapServers("orders")).withWitness(direct.witnessServers()),
        direct);
  }

  private static List<List<Integer>> rollOnce(RollBench bench, int servers) throws Exception {
    try (var roll = bench.run("--reason", "a full roll")) {
      assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
      var batches = RollBench.batches(RollBench.result(roll));

      assertThat(batches)
          .as("one at a time, each once")
          .hasSize(servers)
          .allMatch(batch -> batch.size() == 1);
      assertThat(RollBench.result(roll).path("report").path("belowMinimum")).isEmpty();
      assertThat(roll.said().lines().filter(line -> line.startsWith("SERVER ")))
          .as("tables of all servers, one at every action")
          .hasSize(servers);
      assertThat(roll.said()).contains("[####################] " + servers + "/" + servers);
      assertThat(bench.starts().values()).as("starts").containsOnly(2);
      return batches;
    }
  }

  /** The sample of the ordinary run: three servers, both ways, and a roller that dies meanwhile. */
  @Test
  void a_roller_killed_at_three_moments_finishes_and_restarts_nothing_twice() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.combined(3), folder);
        var proxy = RunningProxy.inFrontOf(bench.kafka(), "orders")) {
      underLoad(bench, bothWays(bench, proxy), () -> rollWithKills(bench, 3));
    }
  }

  @Test
  @Tag("acceptance")
  void a_roller_killed_at_twenty_moments_finishes_and_restarts_nothing_twice() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.separate(3, 3), folder)) {
      for (int roll = 0; roll < 4; roll++) {
        rollWithKills(bench, 5);
      }
    }
  }

  private static void rollWithKills(RollBench bench, int kills) throws Exception {
    long seed = System.nanoTime();
    System.out.println("moments by seed " + seed);
    var random = new Random(seed);
    var before = bench.starts();
    for (int kill = 0; kill < kills; kill++) {
      try (var roll = bench.run("--reason", "a roll that is killed")) {
        var moment = Duration.ofMillis(1_000 + random.nextInt(MOMENT_SECONDS * 1_000));
        assertThat(roll.endsWithin(moment)).as("over before it was killed").isFalse();
        roll.signal("KILL");
        roll.exitStatus(ROLL_LIMIT);
      }
    }
    try (var roll = bench.run("--reason", "a roll that is killed")) {
      assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
    }
    assertThat(bench.starts())
        .as("starts, by seed " + seed + "; journal: " + bench.journal())
        .allSatisfy((id, starts) -> assertThat(starts).isEqualTo(before.getOrDefault(id, 0) + 1));
  }

  private interface Event {
    void happen() throws Exception;
  }

  /** Audits run meanwhile, each its own way, and a watch of its own on every partition. */
  private void underLoad(RollBench bench, List<AuditPlan> plans, Event event) throws Exception {
    var clients = Selection.parse("java-idempotent,java-consumer");
    var load = new Load(50, 200);
    var audits = new ArrayList<Audit>();
    try {
      for (var plan : plans) {
        audits.add(Audit.start(plan.withClients(clients).withLoad(load), listeningLogs()));
      }
      for (var audit : audits) {
        assertThat(audit.awaitWarm(System.out::println)).as("clients without progress").isEmpty();
      }
      audits.forEach(audit -> audit.enter(Window.EVENT));
      try (var watch = new IsrWatch(bench.kafka())) {
        event.happen();
        assertThat(watch.below()).as("partitions below their minimum").isEmpty();
        assertThat(watch.looks()).isGreaterThan(LOUD_ENOUGH);
        System.out.println("looks of the watch: " + watch.looks());
      }
      for (var audit : audits) {
        nothingWasNoticed(audit);
      }
      assertThat(tooFew).as("answers that replicas are too few").isEmpty();
    } finally {
      audits.forEach(Audit::close);
    }
  }

  private static void nothingWasNoticed(Audit audit) throws Exception {
    var report = audit.finish();
    var verdict = Limits.DEFAULT.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches())
        .as(table)
        .filteredOn(breach -> !breach.startsWith(COMMITS_ARE_REPEATED))
        .isEmpty();
  }

  /** The audit's own, which also hears of refusals for want of replicas. */
  private LogSource listeningLogs() {
    var logs = new LogbackSource();
    var names = Set.of("NOT_ENOUGH_REPLICAS", "NotEnoughReplicas");
    return listener ->
        logs.listen(
            line -> {
              if (names.stream().anyMatch(line.text()::contains)
                  && !line.text().contains(NOT_VERIFIED)) {
                tooFew.add(line.text());
              }
              listener.accept(line);
            });
  }
}
