package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a roll that halted may begin again without a person. */
class HaltMarkTest {

  private static final RestartReason REASON = new RestartReason.RevisionDiffers("a", "b");

  @Test
  void a_loop_is_over_only_when_something_else_is_wanted() {
    SimCluster outdated = SimCluster.of().brokers(0, 1).outdated(0);
    HaltMark mark = HaltMark.of(new HaltReason.Loop(0, REASON), plan(outdated));

    assertThat(mark.isOver(plan(outdated))).isFalse();
    assertThat(mark.isOver(plan(SimCluster.of().brokers(0, 1)))).isTrue();
    assertThat(mark.isOver(plan(SimCluster.of().brokers(0, 1).outdated(0, 1)))).isTrue();
  }

  @Test
  void a_server_that_did_not_come_back_is_waited_for() {
    SimCluster well = SimCluster.of().brokers(0, 1).outdated(1);
    var why = new HaltReason.DidNotComeBack(0, new Condition.Steady(), Duration.ofMinutes(1));
    HaltMark mark = HaltMark.of(why, plan(well));

    assertThat(mark.isOver(plan(well))).as("it is steady again").isTrue();
  }

  @Test
  void what_was_blocked_is_over_when_it_no_longer_is() {
    Plan free = plan(SimCluster.of().brokers(0, 1).outdated(1));
    HaltMark mark = HaltMark.of(new HaltReason.NothingMoved(Duration.ofHours(1), List.of()), free);

    assertThat(mark.isOver(free)).isTrue();
  }

  private static Plan plan(SimCluster cluster) {
    return Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
  }
}
