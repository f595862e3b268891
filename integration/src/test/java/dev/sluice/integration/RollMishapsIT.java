package dev.sluice.integration;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.ClusterPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong during a roll of a real cluster, and what the roll makes of it. */
@Tag("acceptance")
class RollMishapsIT {

  private static final Duration ROLL_LIMIT = Duration.ofMinutes(8);

  /** Within which the first action elsewhere, or the reason for none, has to come. */
  private static final Duration REACTION_LIMIT = Duration.ofSeconds(15);

  /** All facts but the partitions in 10 s, partitions in at most 30 s more. */
  private static final int LONGEST_LOOK_SECONDS = 40;

  private static final String DYNAMIC = "log.retention.ms";
  private static final String READ_ONLY = "num.partitions";

  @TempDir private Path folder;

  @Test
  void a_broker_that_is_stopped_by_a_signal_delays_no_look_at_others() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.separate(3, 3), folder)) {
      bench.kafka().server(2).pause();
      try (var roll = bench.run("--reason", "a test")) {
        long began = System.nanoTime();
        roll.awaitErrors("Kafka cluster ");
        var reached = Duration.ofNanos(System.nanoTime() - began);
        roll.awaitErrors("restart a controller; server", "hold: ");
        var reacted = Duration.ofNanos(System.nanoTime() - began);
        System.out.println("reached after " + reached + ", acted or held after " + reacted);
        assertThat(reacted).as(roll.said()).isLessThan(REACTION_LIMIT);
        bench.kafka().server(2).resume();
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
        double longest =
            RollBench.result(roll).path("report").path("longestLookSeconds").asDouble(-1);
        System.out.println("the longest look took " + longest + " s");
        assertThat(longest).isPositive().isLessThan(LONGEST_LOOK_SECONDS);
      }
      assertThat(bench.starts().values()).containsOnly(2);
    }
  }

  @Test
  void a_second_roller_is_refused_and_a_signal_stops_the_first_after_its_batch() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.combined(3), folder)) {
      try (var roll = bench.run("--reason", "a test")) {
        roll.awaitErrors("restart a combined server; server");
        try (var second = bench.run("--reason", "another test")) {
          assertThat(second.exitStatus(ROLL_LIMIT)).as(second.said()).isEqualTo(1);
          assertThat(second.said()).contains("found another roller");
        }
        roll.signal("TERM"); // SIGINT is ignored by what a shell started in the background
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isEqualTo(1);
        assertThat(roll.said()).contains("stopped: the process received");
        assertThat(RollBench.batches(RollBench.result(roll))).hasSize(1);
      }
      assertThat(bench.down()).isEmpty();
      assertThat(bench.starts().values()).containsExactlyInAnyOrder(1, 1, 2);
      try (var roll = bench.run("--reason", "a test")) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
      }
      assertThat(bench.starts().values()).containsOnly(2);
    }
  }

  @Test
  void a_configuration_that_no_server_starts_with_stops_one_server_and_the_roll() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.combined(3), folder)) {
      bench.configure(RollBench.POLICY.replace("returnBudget: 90s", "returnBudget: 20s"));
      for (var server : bench.kafka().servers()) {
        server.changeProperties(Map.of("log.segment.bytes", "1"));
      }
      int down;
      try (var roll = bench.run()) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isEqualTo(3);
        assertThat(bench.down()).hasSize(1);
        down = bench.down().getFirst();
        var outcome = RollBench.result(roll).path("outcome");
        assertThat(outcome.path("sentence").asText()).contains("server " + down);
        assertThat(outcome.path("lastWords").path("" + down).toString())
            .contains("log.segment.bytes");
      }
      for (var server : bench.kafka().servers()) {
        server.changeProperties(Map.of("log.segment.bytes", "104857600"));
      }
      try (var roll = bench.run()) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
        assertThat(RollBench.batches(RollBench.result(roll)).getFirst()).isEqualTo(List.of(down));
      }
      assertThat(bench.down()).isEmpty();
    }
  }

  /** Here one would be enough for a majority; with three of five down it would not. */
  @Test
  void controllers_without_a_leader_say_so_and_those_that_are_down_are_started_together()
      throws Exception {
    try (var bench = RollBench.start(ClusterPlan.separate(3, 1), folder)) {
      bench.kafka().server(102).kill();
      bench.kafka().server(103).kill();
      try (var roll = bench.run("--reason", "a test")) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
        System.out.println(roll.said());
        assertThat(RollBench.batches(RollBench.result(roll)).getFirst()).containsExactly(102, 103);
      }
      assertThat(bench.starts().values()).containsOnly(2);
    }
  }

  @Test
  void a_dynamic_key_is_changed_without_a_restart_and_a_read_only_one_with() throws Exception {
    try (var bench = RollBench.start(ClusterPlan.combined(3), folder);
        var admin = admin(bench)) {
      override(admin, 2);
      for (var server : bench.kafka().servers()) {
        server.changeProperties(Map.of(DYNAMIC, "7200000"));
      }
      rolled(bench);
      assertThat(bench.starts().values()).as("starts").containsOnly(1);
      for (var server : bench.kafka().servers()) {
        assertThat(configured(admin, server.id(), DYNAMIC)).isEqualTo("7200000");
      }
      for (var server : bench.kafka().servers()) {
        server.changeProperties(Map.of(READ_ONLY, "7"));
      }
      rolled(bench);
      assertThat(bench.starts().values()).as("starts").containsOnly(2);
      assertThat(configured(admin, 1, READ_ONLY)).isEqualTo("7");
    }
  }

  @Test
  void partitions_that_cannot_be_spared_do_not_block_and_one_at_its_minimum_does()
      throws Exception {
    try (var bench = RollBench.start(ClusterPlan.separate(1, 3), folder);
        var admin = admin(bench)) {
      var two = Map.of("min.insync.replicas", "2");
      admin
          .createTopics(
              List.of(
                  new NewTopic("single", Map.of(0, List.of(1))),
                  new NewTopic("tight", Map.of(0, List.of(1, 2))).configs(two),
                  new NewTopic("thin", Map.of(0, List.of(1, 2, 3))).configs(two)))
          .all()
          .get(30, TimeUnit.SECONDS);
      bench.kafka().server(3).pause();
      awaitInSync(admin, "thin", 2);

      bench.configure(RollBench.POLICY + "  startGrace: 10s\n");
      var plan = bench.plan("--reason", "a test");
      var blocked = plan.path("blocked").toString();
      assertThat(blocked).contains("thin-0", "in sync {1, 2}", "missing: 3");
      assertThat(blocked).doesNotContain("single-0", "tight-0");

      bench.configure(RollBench.POLICY);
      bench.kafka().server(3).resume();
      awaitInSync(admin, "thin", 3);
      try (var roll = bench.run("--reason", "a test")) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
        assertThat(roll.said())
            .containsSubsequence(
                "with no replica to spare will be unavailable", "single-0, tight-0");
      }
    }
  }

  private static void rolled(RollBench bench) throws Exception {
    try (var roll = bench.run()) {
      assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
    }
  }

  /** A value at one broker hides that of the cluster until it is taken away. */
  private static void override(Admin admin, int broker) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.BROKER, "" + broker),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry(DYNAMIC, "3600000"), AlterConfigOp.OpType.SET))))
        .all()
        .get(30, TimeUnit.SECONDS);
  }

  private static String configured(Admin admin, int broker, String key) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.BROKER, "" + broker);
    return requireNonNull(
            admin.describeConfigs(List.of(resource)).all().get(30, TimeUnit.SECONDS).get(resource))
        .get(key)
        .value();
  }

  /** A broker that is asked and just then stopped or fenced does not answer: the next look may. */
  private static void awaitInSync(Admin admin, String topic, int size) {
    await(topic + " has " + size + " in sync")
        .atMost(Duration.ofSeconds(90))
        .ignoreExceptionsInstanceOf(ExecutionException.class)
        .ignoreExceptionsInstanceOf(TimeoutException.class)
        .until(
            () -> {
              var described =
                  admin.describeTopics(Set.of(topic)).allTopicNames().get(20, TimeUnit.SECONDS);
              var partition = requireNonNull(described.get(topic)).partitions().getFirst();
              return partition.isr().size() == size;
            });
  }

  private static Admin admin(RollBench bench) {
    return Admin.create(
        Map.of(
            "bootstrap.servers", bench.kafka().bootstrapServers(), "request.timeout.ms", "3000"));
  }
}
