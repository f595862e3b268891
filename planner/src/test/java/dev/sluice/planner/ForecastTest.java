package dev.sluice.planner;

import static dev.sluice.planner.SimCluster.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.Forecast.Step;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A look ahead is what then happens, as long as nothing changes. */
class ForecastTest {

  private static final Policy PARALLEL = Policy.DEFAULT.withMaxParallel(4);

  private static SimCluster cluster() {
    SimCluster cluster =
        SimCluster.of()
            .controllers(0, 1, 2)
            .active(1)
            .combined(3)
            .brokers(4, 5, 6, 7, 8)
            .allOutdated();
    cluster.topic("a", 1, on(4, 5), 4, 5).topic("b", 1, on(5, 6, 7), 5, 6, 7);
    return cluster.topic("c", 1, on(3, 8), 3, 8);
  }

  private static List<List<Integer>> steps(Forecast forecast) {
    return forecast.steps().stream().map(step -> List.copyOf(step.targets().keySet())).toList();
  }

  @Test
  void what_is_forecast_is_what_happens() {
    Forecast forecast = Planner.forecast(cluster().view(), Memory.EMPTY, PARALLEL);
    assertThat(steps(forecast)).isEqualTo(Roll.of(cluster(), PARALLEL).batches);
    assertThat(forecast.blocked()).isEmpty();
  }

  @Test
  void what_is_down_or_changes_while_running_is_forecast_in_its_stage() {
    Operation change = new Operation.Set("compression.type", Scope.CLUSTER_WIDE, "gzip", false);
    SimCluster cluster = cluster().notRunning("bad option", 6).notReady(7).changes(4, change);
    Forecast forecast = Planner.forecast(cluster.view(), Memory.EMPTY, PARALLEL);
    assertThat(forecast.steps())
        .extracting(Step::stage)
        .startsWith(Stage.NOT_RUNNING, Stage.NOT_READY, Stage.RECONFIGURE, Stage.CONTROLLER);
    assertThat(forecast.next()).isInstanceOf(Plan.Act.class);
  }

  @Test
  void steps_are_estimated_by_the_policy_until_restarts_were_seen() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).allOutdated();
    Forecast guessed = Planner.forecast(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(guessed.estimate()).isEqualTo(Duration.ofSeconds(3 * 130));
    Roll roll = Roll.of(cluster);
    Forecast measured = Planner.forecast(cluster.desired("3").view(), roll.memory, Policy.DEFAULT);
    assertThat(measured.estimate()).isEqualTo(Duration.ofSeconds(3 * 18));
  }

  @Test
  void what_blocks_is_named_with_the_partition_and_with_who_is_missing() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).allOutdated().recovering(2, 4, 40);
    Forecast forecast =
        Planner.forecast(
            cluster.topic("a", 2, on(0, 1, 9), 0, 1).view(),
            Memory.EMPTY,
            Policy.DEFAULT.withFrozen(Set.of(1)));
    assertThat(forecast.steps()).isEmpty();
    assertThat(forecast.blocked())
        .extracting(Blocked::sentence)
        .containsExactlyInAnyOrder(
            "server 1 is frozen by policy",
            "server 2 is recovering: 4 logs and 40 segments left",
            "server 0 is needed by a-0 (in sync {0, 1} of {0, 1, 9}, minimum 2; missing: 9, which"
                + " nobody looks at)");
  }

  @Test
  void a_halt_is_not_hidden_by_what_could_follow() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).outdated(0).notRunning("no image", 2);
    assertThat(Planner.forecast(cluster.view(), Memory.EMPTY, Policy.DEFAULT).next())
        .isInstanceOf(Plan.Halt.class);
  }

  @Test
  void a_second_look_speaks_against_a_plan_that_has_become_unsafe() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2, 3).allOutdated();
    cluster.topic("a", 2, on(0, 1, 2, 3), 0, 1, 2, 3);
    Plan.Act act = (Plan.Act) Planner.next(cluster.view(), Memory.EMPTY, PARALLEL);
    assertThat(act.targets()).containsOnlyKeys(0, 1);
    assertThat(Planner.recheck(act, cluster.view(), Memory.EMPTY, PARALLEL)).isEmpty();
    assertThat(Planner.recheck(act, cluster.leavesSync("a", 3).view(), Memory.EMPTY, PARALLEL))
        .extracting(Blocked::sentence)
        .containsExactly("server 0 may no longer go together with the others of its batch");
    assertThat(Planner.recheck(act, cluster.leavesSync("a", 2).view(), Memory.EMPTY, PARALLEL))
        .hasSize(2)
        .allMatch(blocked -> blocked.why() instanceof Block.PartitionsTooThin);
    assertThat(Planner.recheck(act, cluster.notReady(0).view(), Memory.EMPTY, PARALLEL))
        .extracting(Blocked::sentence)
        .containsExactly("server 0 has changed since it was planned to restart brokers");
  }
}
