package dev.sluice.roller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.sluice.planner.HoldReason;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RollLoopTest {

  private static final LoopSettings QUICK =
      new LoopSettings(Duration.ofMillis(1), Duration.ofMinutes(2), Optional.empty());

  private final ModelCluster cluster = new ModelCluster();
  private final List<Plan> plans = new ArrayList<>();
  private final RollListener listener =
      new RollListener() {
        @Override
        public void decided(Look look, Plan plan) {
          plans.add(plan);
        }
      };

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("journal.jsonl");
  }

  private RollLoop loop(Journal journal) {
    return new RollLoop(cluster, cluster, journal, listener, QUICK);
  }

  private Outcome roll() throws IOException, InterruptedException {
    try (var journal = FileJournal.open(file())) {
      var before = journal.unfinished();
      if (before.isEmpty()) {
        journal.asked(cluster.request);
      }
      return loop(journal)
          .run(before.map(Journal.Unfinished::memory).orElse(Memory.EMPTY), Policy.DEFAULT);
    }
  }

  @Test
  void every_server_is_restarted_once_and_the_active_controller_last() throws Exception {
    assertThat(roll()).isInstanceOf(Outcome.Finished.class);
    assertThat(cluster.done.stream().filter(each -> each.startsWith("restart")))
        .containsExactly("restart 2", "restart 3", "restart 1");
  }

  @Test
  void only_a_server_that_came_back_gets_its_leadership_back() throws Exception {
    roll();
    assertThat(cluster.done).endsWith("restart 1", "elect 1");
  }

  @Test
  void an_intent_is_on_disk_before_it_is_acted_upon() throws Exception {
    List<String> journaled = new ArrayList<>();
    cluster.beforeActing =
        () -> {
          try {
            journaled.add(Files.readAllLines(file()).getLast());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    roll();
    assertThat(journaled).hasSize(3);
    assertThat(journaled.get(0)).contains("\"kind\":\"acts\"", "\"2\":\"restart: asked for");
    assertThat(journaled.get(2)).contains("\"1\":\"restart: asked for");
  }

  @Test
  void a_roll_that_dies_at_any_step_goes_on_and_restarts_nothing_twice() throws Exception {
    for (int step = 1; step < 40; step++) {
      diesAt(step);
    }
  }

  private void diesAt(int step) throws Exception {
    Files.deleteIfExists(file());
    var dying = new RollLoopTest();
    dying.folder = folder;
    int[] looks = {0};
    dying.cluster.afterLook =
        () -> {
          if (++looks[0] == step) {
            throw new IllegalStateException("the roller dies");
          }
        };
    dying.cluster.beforeActing =
        () -> {
          if (++looks[0] == step) {
            throw new IllegalStateException("the roller dies");
          }
        };
    try {
      dying.roll();
    } catch (IllegalStateException _) {
      assertThat(dying.roll()).isInstanceOf(Outcome.Finished.class);
    }
    assertThat(dying.cluster.done.stream().filter(each -> each.startsWith("restart")))
        .as("died at step " + step)
        .containsExactlyInAnyOrder("restart 1", "restart 2", "restart 3");
  }

  @Test
  void a_server_that_does_not_come_back_halts_and_its_last_words_are_told() throws Exception {
    cluster.beforeActing = () -> cluster.failing = Optional.of(2);

    var halted = (Outcome.Halted) roll();

    assertThat(halted.lastWords()).containsOnlyKeys(2);
    assertThat(cluster.done).containsExactly("restart 2");
  }

  @Test
  void a_server_that_somebody_else_starts_holds_the_roll_for_a_while() throws Exception {
    int[] looks = {0};
    cluster.afterLook =
        () -> {
          if (++looks[0] == 6) {
            cluster.processes.put(3, cluster.now);
          }
        };
    assertThat(roll()).isInstanceOf(Outcome.Finished.class);
    assertThat(plans)
        .filteredOn(
            plan -> plan instanceof Plan.Hold hold && hold.why() instanceof HoldReason.AnotherRoll)
        .isNotEmpty();
  }

  @Test
  void a_stop_waits_for_the_server_that_is_on_its_way_back() throws Exception {
    try (var journal = FileJournal.open(file())) {
      journal.asked(cluster.request);
      var loop = loop(journal);
      cluster.beforeActing = () -> loop.stopAfterBatch("a test");

      assertThat(loop.run(Memory.EMPTY, Policy.DEFAULT)).isInstanceOf(Outcome.Stopped.class);
      assertThat(plans.getLast()).isNotInstanceOf(Plan.Hold.class);
    }
    assertThat(cluster.done.stream().filter(each -> each.startsWith("restart"))).hasSize(1);
  }

  @Test
  void no_batch_begins_after_the_time_until_which_to_act() throws Exception {
    try (var journal = FileJournal.open(file())) {
      journal.asked(cluster.request);
      var until = QUICK.withUntil(Optional.of(cluster.now));
      var loop = new RollLoop(cluster, cluster, journal, listener, until);

      assertThat(loop.run(Memory.EMPTY, Policy.DEFAULT)).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(cluster.done).isEmpty();
  }

  @Test
  void servers_whose_clocks_are_behind_are_restarted_once_all_the_same() throws Exception {
    cluster.behind = Duration.ofMinutes(10);

    assertThat(roll()).isInstanceOf(Outcome.Finished.class);
    assertThat(restarts()).containsExactly("restart 2", "restart 3", "restart 1");
  }

  @Test
  void servers_whose_clocks_are_ahead_are_not_believed() throws Exception {
    cluster.behind = Duration.ofHours(-2);
    cluster.beforeActing = () -> fail("expected nothing to be done");
    try (var journal = FileJournal.open(file())) {
      var loop = loop(journal);
      cluster.afterLook = () -> loop.stopAfterBatch("a test");

      assertThat(loop.run(Memory.EMPTY, Policy.DEFAULT)).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(plans.getLast().sentence()).contains("so the clocks differ");
  }

  @Test
  void a_clock_that_is_set_back_in_the_middle_delays_the_roll_and_nothing_else() throws Exception {
    cluster.beforeActing =
        () -> {
          if (cluster.done.isEmpty()) {
            cluster.now = cluster.now.minus(Duration.ofMinutes(10));
          }
        };

    assertThat(roll()).isInstanceOf(Outcome.Finished.class);
    assertThat(restarts()).containsExactly("restart 2", "restart 3", "restart 1");
  }

  @Test
  void a_clock_that_is_set_forward_in_the_middle_risks_no_second_server() throws Exception {
    cluster.beforeActing = () -> cluster.now = cluster.now.plus(Duration.ofHours(1));

    roll();
    assertThat(restarts()).hasSizeLessThanOrEqualTo(3).doesNotHaveDuplicates();
  }

  private List<String> restarts() {
    return cluster.done.stream().filter(each -> each.startsWith("restart")).toList();
  }

  @Test
  void nothing_is_done_that_cannot_be_written_down() throws Exception {
    try (var journal = FileJournal.open(file())) {
      journal.asked(cluster.request);
      var full =
          new Journal() {
            @Override
            public Optional<Unfinished> unfinished() {
              return journal.unfinished();
            }

            @Override
            public void asked(RollRequest request) {
              throw new UncheckedIOException(new IOException("No space left on device"));
            }

            @Override
            public void intends(Plan.Act act, Memory before, Memory after) {
              throw new UncheckedIOException(new IOException("No space left on device"));
            }

            @Override
            public void ended(Outcome outcome, java.time.Instant at) {
              throw new UncheckedIOException(new IOException("No space left on device"));
            }

            @Override
            public void close() {}
          };

      assertThatThrownBy(() -> loop(full).run(Memory.EMPTY, Policy.DEFAULT))
          .isInstanceOf(UncheckedIOException.class);
    }
    assertThat(cluster.done).isEmpty();
  }

  @Test
  void rollers_of_one_machine_exclude_each_other_wherever_they_keep_their_journals()
      throws Exception {
    var cluster = UUID.randomUUID().toString();
    try (var _ = RollLock.ofMachine(cluster)) {
      assertThatThrownBy(() -> RollLock.ofMachine(cluster))
          .isInstanceOf(RollLock.HeldException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid());
    }
    RollLock.ofMachine(cluster).close();
    Files.delete(Path.of(System.getProperty("java.io.tmpdir"), "sluice-roll-" + cluster + ".lock"));
  }

  @Test
  void only_one_roller_holds_the_lock_of_a_cluster() throws Exception {
    var first = RollLock.take(folder);
    assertThatThrownBy(() -> RollLock.take(folder))
        .isInstanceOf(RollLock.HeldException.class)
        .hasMessageContaining("process " + ProcessHandle.current().pid());
    first.close();
    RollLock.take(folder).close();
  }
}
