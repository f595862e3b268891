package dev.sluice.simulation.roll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.Assessment;
import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.Block;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.Condition;
import dev.sluice.planner.HaltReason;
import dev.sluice.planner.HoldReason;
import dev.sluice.planner.Need;
import dev.sluice.planner.Notice;
import dev.sluice.planner.Plan;
import dev.sluice.planner.RestartReason;
import dev.sluice.planner.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The planner in a world in which everything goes wrong. */
class RollWorldTest {

  static final long ORDINARY_SEEDS = Long.getLong("seeds", 20_000);
  private static final long MANY_SEEDS = 1_000_000;

  /**
   * What nobody freezes or forbids here, and what a second look says, which is counted as a dropped
   * plan.
   */
  private static final Set<Class<?>> NOT_HERE =
      Set.of(
          Block.Frozen.class,
          Block.ForbiddenByPlatform.class,
          Block.SomethingElseNow.class,
          Block.NotTogether.class);

  @Test
  void no_roll_does_harm_and_every_roll_ends_and_rare_paths_are_walked() {
    System.out.println("rolls: seeds 0 to " + (ORDINARY_SEEDS - 1));
    Set<String> walked = new ConcurrentSkipListSet<>();
    long start = System.nanoTime();
    Seeds.run(
        LongStream.range(0, ORDINARY_SEEDS),
        plan -> note(plan, walked),
        world -> {
          if (world.dropped() > 0) {
            walked.add("dropped");
          }
        });
    System.out.printf("in %d s%n", (System.nanoTime() - start) / 1_000_000_000);
    assertThat(walked).containsAll(rare()).contains("dropped");
  }

  @Test
  void seeds_that_once_failed_do_not_fail_again() throws IOException {
    Seeds.run(Seeds.corpus());
  }

  @Test
  void a_seed_gives_the_same_roll_in_every_jvm() throws IOException {
    assertThat(Seeds.tracesOf(1, 2, 3, 5, 8, 13, 21, 34)).isEqualTo(Seeds.recordedTraces());
  }

  @Tag("acceptance")
  @Test
  void a_million_rolls_do_no_harm() {
    System.out.println("rolls: seeds from " + ORDINARY_SEEDS + ", " + MANY_SEEDS + " of them");
    Seeds.run(LongStream.range(ORDINARY_SEEDS, ORDINARY_SEEDS + MANY_SEEDS));
  }

  private static void note(Plan plan, Set<String> walked) {
    walked.add(plan.getClass().getSimpleName());
    for (Assessment server : plan.servers()) {
      walked.add(server.condition().name());
      walked.add(server.need().getClass().getSimpleName());
      walked.add(server.awaited().name());
      if (server.condition() instanceof Condition.Recovering recovering
          && recovering.stalledFor().isPresent()) {
        walked.add("stalled");
      }
    }
    switch (plan) {
      case Plan.Act act -> {
        walked.add(act.stage().name());
        act.notices().forEach(notice -> walked.add(notice.getClass().getSimpleName()));
        note(act.blocked(), walked);
        if (act.targets().size() > 1) {
          walked.add(act.stage() + " together");
        }
        act.targets().values().forEach(need -> noteReasons(need, walked));
      }
      case Plan.Hold hold -> {
        walked.add(hold.why().getClass().getSimpleName());
        if (hold.why() instanceof HoldReason.EverythingBlocked(List<Blocked> blocked)) {
          note(blocked, walked);
        }
      }
      case Plan.Halt halt -> walked.add(halt.why().getClass().getSimpleName());
      case Plan.Done _ -> {}
    }
  }

  private static void note(List<Blocked> blocked, Set<String> walked) {
    blocked.forEach(each -> walked.add(each.why().getClass().getSimpleName()));
  }

  private static void noteReasons(Need need, Set<String> walked) {
    if (need instanceof Need.Restart(List<RestartReason> reasons)) {
      reasons.forEach(reason -> walked.add(reason.getClass().getSimpleName()));
    }
  }

  /** Everything that this world can lead to. */
  private static List<String> rare() {
    List<String> rare = new ArrayList<>();
    Stream.of(Condition.class, Need.class, Notice.class, Block.class)
        .flatMap(type -> Stream.of(type.getPermittedSubclasses()))
        .filter(type -> !NOT_HERE.contains(type))
        .forEach(type -> rare.add(type.getSimpleName()));
    Stream.of(Stage.values()).forEach(stage -> rare.add(stage.name()));
    Stream.of(Awaited.values()).forEach(awaited -> rare.add(awaited.name()));
    rare.addAll(
        List.of(
            HaltReason.DidNotComeBack.class.getSimpleName(),
            HaltReason.Loop.class.getSimpleName(),
            HaltReason.TooManyRestarts.class.getSimpleName(),
            HaltReason.DownAndCurrent.class.getSimpleName(),
            HoldReason.AwaitingReturn.class.getSimpleName(),
            HoldReason.EverythingBlocked.class.getSimpleName(),
            RestartReason.RevisionDiffers.class.getSimpleName(),
            RestartReason.DoesNotServe.class.getSimpleName(),
            RestartReason.ChangeHadNoEffect.class.getSimpleName(),
            "BROKER together",
            "NOT_RUNNING together"));
    return rare;
  }
}
