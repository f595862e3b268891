package dev.sluice.planner;

import static dev.sluice.planner.SimCluster.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Behaviours of the public draft of a new roller, 3.7 of the checklist. */
class ParityNewRollerTest {

  private static final Operation CHANGE =
      new Operation.Set("compression.type", Scope.CLUSTER_WIDE, "gzip", false);
  private static final Policy PARALLEL = Policy.DEFAULT.withMaxParallel(10);

  private static SimCluster separate() {
    return SimCluster.of().brokers(0, 1, 2).controllers(3, 4, 5).active(3);
  }

  @Test
  @Parity("3.7 restart: manual roll of brokers and controllers")
  void a_roll_that_is_asked_for_restarts_each_server_once() {
    Roll roll = Roll.of(separate().asked("a new disk", 0, 1, 2, 3, 4, 5));
    assertThat(roll.order()).containsExactly(4, 5, 3, 0, 1, 2);
    assertThat(roll.done()).isTrue();
    assertThat(roll.acts.getFirst().sentence())
        .contains("asked for by hand")
        .contains("a new disk");
  }

  @Test
  @Parity("3.7 restart: manual roll of combined servers")
  void combined_servers_that_are_asked_for_go_singly_and_the_active_one_last() {
    Roll roll = Roll.of(SimCluster.of().combined(0, 1, 2).active(0).asked("why not", 0, 1, 2));
    assertThat(roll.batches).containsExactly(List.of(1), List.of(2), List.of(0));
  }

  @Test
  @Parity("3.7 restart: broker with no topic")
  void a_broker_without_partitions_may_always_go() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).asked("now", 0);
    assertThat(Roll.of(cluster.topic("a", 2, on(1, 2, 3), 1)).order()).containsExactly(0);
  }

  @Test
  @Parity("3.7 restart: unready one first with manual reason")
  void what_does_not_serve_goes_first_also_when_all_are_asked_for() {
    Roll roll = Roll.of(SimCluster.of().brokers(0, 1, 2).notReady(2).asked("now", 0, 1, 2));
    assertThat(roll.order()).containsExactly(2, 0, 1);
  }

  @Test
  @Parity("3.7 restart: not-running servers with an old revision")
  void controllers_that_are_down_come_back_together_then_the_broker_then_the_others() {
    SimCluster cluster =
        SimCluster.of().controllers(0, 1, 2).brokers(3, 4).allOutdated().active(1).noLeader();
    Roll roll =
        Roll.of(
            cluster.notRunning("bad option", 0, 2, 4),
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              if (plan instanceof Plan.Act) {
                seen.active(1);
              }
            });
    assertThat(roll.batches).containsExactly(List.of(0, 2), List.of(4), List.of(1), List.of(3));
  }

  @Test
  @Parity("3.7 restart: unresponsive servers in order of roles")
  void servers_that_do_not_answer_go_controller_combined_broker() {
    SimCluster cluster = SimCluster.of().brokers(0).combined(1).controllers(2, 3, 4, 5).active(3);
    Roll roll = Roll.of(cluster.unanswering(0, 1, 2));
    assertThat(roll.order()).containsExactly(2, 1, 0);
    assertThat(roll.acts.getFirst().sentence()).contains("does not serve: it does not answer");
  }

  @Test
  @Parity("3.7 restart: non-dynamic configuration")
  void a_key_that_only_a_start_changes_restarts_and_is_named() {
    Roll roll = Roll.of(SimCluster.of().brokers(0, 1).readOnlyKeys(1, "log.dirs"));
    assertThat(roll.order()).containsExactly(1);
    assertThat(roll.acts.getFirst().sentence()).contains("only a start changes: log.dirs");
  }

  @Test
  @Parity("3.7 restart: dynamic configuration failing three times, then restart")
  void a_change_that_fails_three_times_becomes_a_restart() {
    Roll roll = Roll.of(SimCluster.of().brokers(0).changes(0, CHANGE).refusesChanges(0));
    assertThat(roll.changes).hasSize(3);
    assertThat(roll.order()).containsExactly(0);
  }

  @Test
  @Parity(
      value = "3.7 restart: describing the configuration failing, then restart",
      better = "A configuration that cannot be read is asked again; it is no reason to restart.")
  void a_configuration_that_cannot_be_read_restarts_nobody() {
    assertThat(Roll.of(SimCluster.of().brokers(0).configurationUnreadable(true, 0)).order())
        .isEmpty();
  }

  @Test
  @Parity(
      value = "3.7 restart: more than three restarts end the roll",
      better = "The same reason right after its restart is a loop, and ends the roll at the first.")
  void the_same_reason_after_its_own_restart_is_a_loop() {
    Roll roll = Roll.of(SimCluster.of().brokers(0, 1).allOutdated().keepsRevision(0));
    assertThat(roll.order()).containsExactly(0);
    assertThat(roll.halt()).isInstanceOf(HaltReason.Loop.class);
    assertThat(roll.said())
        .contains("restarting server 0 did not change it: it still runs revision '1', desired is");
  }

  @Test
  void a_server_is_not_restarted_more_than_three_times_for_one_kind_of_reason() {
    int[] revision = {1};
    Roll roll =
        Roll.of(
            SimCluster.of().brokers(0),
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              if (plan instanceof Plan.Act || revision[0] == 1) {
                seen.desired("r" + ++revision[0]);
              }
            });
    assertThat(roll.done()).as("nothing was needed at first").isTrue();
    Roll again =
        Roll.of(
            SimCluster.of().brokers(0).desired("2"),
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              if (plan instanceof Plan.Hold) {
                seen.desired("r" + ++revision[0]);
              }
            });
    assertThat(again.order()).containsExactly(0, 0, 0);
    assertThat(again.halt()).isInstanceOf(HaltReason.TooManyRestarts.class);
  }

  @Test
  @Parity(
      value = "3.7 restart: agent unreachable still rolls",
      better = "A server that is ready rolls; one that is not ready may be recovering, and waits.")
  void a_silent_agent_does_not_matter_while_the_server_is_ready() {
    assertThat(Roll.of(separate().allOutdated().probeSilent(0, 1, 2)).order())
        .containsExactly(4, 5, 3, 0, 1, 2);
  }

  @Test
  @Parity("3.7 restart: two-node quorum")
  void a_quorum_of_two_is_rolled_one_by_one_the_active_one_last() {
    assertThat(Roll.of(SimCluster.of().controllers(1, 2).active(1).allOutdated()).order())
        .containsExactly(2, 1);
  }

  @Test
  @Parity(
      value = "3.7 restart: two-node quorum with one behind",
      better = "The one that is behind may go: the other holds all that was committed.")
  void in_a_quorum_of_two_only_the_one_that_is_behind_may_go() {
    Roll roll = Roll.of(SimCluster.of().controllers(1, 2).active(1).behind(2, 9_000).allOutdated());
    assertThat(roll.order()).containsExactly(2);
    assertThat(roll.said()).contains("server 1 is needed by the quorum");
  }

  @Test
  @Parity("3.7 restart: single-node quorum")
  void a_quorum_of_one_is_rolled() {
    assertThat(Roll.of(SimCluster.of().controllers(1).allOutdated()).order()).containsExactly(1);
  }

  @Test
  @Parity("3.7 no restart: no reason")
  void without_a_reason_nobody_is_restarted() {
    Roll roll = Roll.of(separate());
    assertThat(roll.plans).hasSize(1);
    assertThat(roll.done()).isTrue();
  }

  @Test
  @Parity("3.7 no restart: not ready after its restart")
  void a_server_that_is_not_ready_after_its_restart_ends_the_roll() {
    Roll roll = Roll.of(separate().outdated(0, 1).neverReadyAgain(0));
    assertThat(roll.order()).containsExactly(0);
    assertThat(roll.halt()).isInstanceOf(HaltReason.DidNotComeBack.class);
  }

  @Test
  @Parity(
      value = "3.7 no restart: not ready without reason",
      better = "Not serving, and positively not recovering, is a reason itself, once.")
  void a_server_that_does_not_serve_is_restarted_once_for_that() {
    assertThat(Roll.of(separate().notReady(0)).order()).containsExactly(0);
  }

  @Test
  @Parity("3.7 no restart: quorum check failed")
  void a_quorum_that_cannot_spare_a_voter_restarts_no_controller() {
    Roll roll = Roll.of(separate().asked("now", 4).behind(5, 9_000));
    assertThat(roll.order()).isEmpty();
    assertThat(roll.halt()).isInstanceOf(HaltReason.NothingMoved.class);
  }

  @Test
  @Parity("3.7 no restart: availability failed")
  void a_partition_at_its_minimum_restarts_nobody() {
    assertThat(Roll.of(separate().asked("now", 0).topic("a", 2, on(0, 1, 2), 0, 1)).order())
        .isEmpty();
  }

  @Test
  @Parity("3.7 no restart: quorum or availability failed, combined")
  void combined_servers_need_both_to_allow_it() {
    SimCluster quorum = SimCluster.of().combined(0, 1, 2).active(0).asked("now", 1);
    assertThat(Roll.of(quorum.behind(2, 9_000)).order()).isEmpty();
    SimCluster partitions = SimCluster.of().combined(0, 1, 2).active(0).asked("now", 1);
    assertThat(Roll.of(partitions.topic("a", 2, on(0, 1, 2), 0, 1)).order()).isEmpty();
  }

  @Test
  @Parity("3.7 no restart: broker in recovery")
  void a_broker_in_recovery_is_not_restarted() {
    assertThat(Roll.of(separate().asked("now", 0).recovering(0, 3, 9)).order()).isEmpty();
  }

  @Test
  @Parity("3.7 no restart: controller in recovery")
  void a_controller_in_recovery_is_not_restarted() {
    assertThat(Roll.of(separate().asked("now", 4).recovering(4, 3, 9)).order()).isEmpty();
  }

  @Test
  @Parity("3.7 no restart: even quorum with two behind")
  void a_quorum_of_four_with_two_behind_restarts_nobody_that_is_caught_up() {
    SimCluster cluster = SimCluster.of().controllers(0, 1, 2, 3).active(0).asked("now", 1);
    assertThat(Roll.of(cluster.behind(2, 9_000).behind(3, 9_000)).order()).isEmpty();
  }

  @Test
  @Parity("3.7 no restart: invalid timestamps")
  void a_quorum_without_times_restarts_no_controller() {
    SimCluster cluster = separate().asked("now", 4).behind(3, -1).behind(4, -1).behind(5, -1);
    assertThat(Roll.of(cluster).order()).isEmpty();
  }

  @Test
  @Parity("3.7 no restart: invalid leader")
  void a_quorum_without_a_leader_restarts_nobody() {
    assertThat(Roll.of(separate().allOutdated().noLeader()).order()).isEmpty();
  }

  @Test
  @Parity("3.7 no restart: the Admin client cannot be made")
  void a_cluster_that_cannot_be_asked_restarts_nobody() {
    SimCluster cluster = separate().allOutdated().quorumSilent(true).partitionsSilent(true);
    assertThat(Roll.of(cluster).order()).isEmpty();
  }

  @Test
  @Parity(
      value = "3.7 no restart: reconfiguration disallowed",
      better = "There is no such switch; a server is frozen as a whole, and that is told.")
  void a_frozen_server_is_left_alone_and_told() {
    Roll roll =
        Roll.of(separate().allOutdated().changes(0, CHANGE), Policy.DEFAULT.withFrozen(Set.of(0)));
    assertThat(roll.changes).isEmpty();
    assertThat(roll.order()).containsExactly(4, 5, 3, 1, 2);
    assertThat(roll.said()).isEqualTo("done: server 0 is frozen by policy");
  }

  @Test
  @Parity("3.7 no restart: dynamic configuration only")
  void a_change_that_takes_effect_restarts_nobody() {
    Roll roll = Roll.of(separate().changes(0, CHANGE));
    assertThat(roll.order()).isEmpty();
    assertThat(roll.changes).containsExactly(List.of(0));
  }

  @Test
  @Parity(
      value = "3.7 batches: three racks of two brokers",
      better = "Batches of one size go in order of their lowest id.")
  void brokers_of_one_rack_go_together() {
    SimCluster cluster =
        SimCluster.of().controllers(0, 1, 2).active(1).brokers(3, 4, 5, 6, 7, 8).allOutdated();
    rackWise(cluster);
    assertThat(Roll.of(cluster, PARALLEL).batches)
        .containsExactly(
            List.of(0), List.of(2), List.of(1), List.of(3, 6), List.of(4, 7), List.of(5, 8));
  }

  @Test
  @Parity("3.7 batches: combined servers always singly")
  void combined_servers_never_go_together() {
    SimCluster cluster = SimCluster.of().combined(3, 4, 5, 6, 7, 8).active(3).allOutdated();
    rackWise(cluster);
    assertThat(Roll.of(cluster, PARALLEL).order()).containsExactly(4, 5, 6, 7, 8, 3);
  }

  @Test
  @Parity("3.7 batches: one partition at its minimum")
  void servers_of_a_partition_at_its_minimum_are_left_and_named() {
    SimCluster cluster = SimCluster.of().brokers(3, 4, 5, 6, 7, 8).allOutdated();
    rackWise(cluster);
    Roll roll = Roll.of(cluster.topic("thin", 2, on(3, 4, 5), 3, 4), PARALLEL);
    assertThat(roll.order()).containsExactlyInAnyOrder(5, 6, 7, 8);
    assertThat(roll.batches.getFirst()).containsExactly(5, 8);
    assertThat(roll.said()).contains("server 3 is needed by thin-0").contains("server 4 is needed");
  }

  @Test
  @Parity(
      value = "3.7 cells: no two servers of one partition",
      better = "Sharing a partition is no obstacle as long as its minimum and slack allow it.")
  void two_servers_that_share_a_partition_go_together_only_with_slack() {
    SimCluster tight = SimCluster.of().brokers(0, 1, 2).allOutdated();
    assertThat(Roll.of(tight.topic("a", 1, on(0, 1), 0, 1), PARALLEL).batches)
        .containsExactly(List.of(0, 2), List.of(1));
    SimCluster slack = SimCluster.of().brokers(0, 1, 2).allOutdated();
    assertThat(Roll.of(slack.topic("a", 1, on(0, 1, 2), 0, 1, 2), PARALLEL).batches)
        .containsExactly(List.of(0, 1), List.of(2));
  }

  @Test
  @Parity("3.7 cells: a broker without replicas fits anywhere")
  void a_broker_without_replicas_joins_the_largest_batch() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).allOutdated();
    assertThat(Roll.of(cluster.topic("a", 1, on(0, 1), 0, 1), PARALLEL).batches.getFirst())
        .contains(2);
  }

  private static void rackWise(SimCluster cluster) {
    cluster.topic("a", 2, on(3, 4, 5), 3, 4, 5);
    cluster.topic("b", 2, on(6, 7, 8), 6, 7, 8);
    cluster.topic("c", 2, on(3, 7, 8), 3, 7, 8);
    cluster.topic("d", 2, on(6, 4, 5), 6, 4, 5);
    cluster.topic("e", 2, on(6, 7, 5), 6, 7, 5);
    cluster.topic("f", 2, on(3, 4, 8), 3, 4, 8);
  }

  @Test
  void an_exemption_skips_one_rule_for_one_server_and_is_recorded() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).allOutdated().topic("a", 1, on(0, 1), 0);
    Policy policy = Policy.DEFAULT.withExemptions(Set.of(new Exemption(0, Rule.PARTITION_MINIMUM)));
    Plan.Act act = (Plan.Act) Planner.next(cluster.view(), Memory.EMPTY, policy);
    assertThat(act.targets()).containsOnlyKeys(0);
    assertThat(act.exempted()).hasSize(1);
    assertThat(act.sentence()).contains("against the rule, because told so: server 0 is needed");
  }

  @Test
  void actions_start_only_in_a_window_and_waiting_for_a_server_goes_on_outside() {
    MaintenanceWindow window =
        new MaintenanceWindow(
            Set.of(DayOfWeek.SUNDAY), LocalTime.of(2, 0), Duration.ofMinutes(1), ZoneOffset.UTC);
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2, 3, 4, 5).allOutdated(); // on a Sunday
    Policy policy = Policy.DEFAULT.withWindows(List.of(window));
    Plan early = Planner.next(cluster.view(), Memory.EMPTY, policy);
    assertThat(early.sentence()).contains("the next opens at 2026-03-01T02:00:00Z");
    assertThat(ClusterState.of(early)).isInstanceOf(ClusterState.OutOfWindow.class);
    cluster.after(Duration.ofHours(2));
    Roll roll =
        Roll.of(
            cluster,
            policy,
            Memory.EMPTY,
            (seen, plan) -> {
              if (ClusterState.of(plan) instanceof ClusterState.OutOfWindow) {
                seen.after(Duration.between(seen.now, window.nextOpening(seen.now)));
              }
            });
    assertThat(roll.acts).isNotEmpty().allMatch(act -> window.contains(act.at()));
    assertThat(roll.done()).isTrue();
  }

  @Test
  void two_servers_that_desire_different_values_for_the_cluster_end_the_roll() {
    Operation other = new Operation.Set("compression.type", Scope.CLUSTER_WIDE, "lz4", false);
    Roll roll = Roll.of(SimCluster.of().brokers(0, 1).changes(0, CHANGE).changes(1, other));
    assertThat(roll.changes).isEmpty();
    assertThat(roll.said()).contains("servers 0 and 1 desire different values of compression.type");
  }

  @Test
  void a_minimum_can_be_lowered_while_its_partition_blocks_everybody() {
    Operation lower = new Operation.Set("min.insync.replicas", Scope.CLUSTER_WIDE, "1", false);
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).topic("a", 2, on(0, 1, 2), 0);
    assertThat(Roll.of(cluster.changes(0, lower)).changes).containsExactly(List.of(0));
  }

  @Test
  void another_roll_holds_everything_by_name() {
    Plan plan =
        Planner.next(
            separate().allOutdated().anotherRoll("the other shift").view(),
            Memory.EMPTY,
            Policy.DEFAULT);
    assertThat(plan.sentence()).isEqualTo("hold: another roll is under way: the other shift");
  }

  @Test
  void readings_that_are_too_old_or_from_before_the_last_action_decide_nothing() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).allOutdated();
    dev.sluice.planner.reading.View seen = cluster.view();
    Plan first = Planner.next(seen, Memory.EMPTY, Policy.DEFAULT);
    Memory memory = Memory.EMPTY.after(first);
    assertThat(first).isInstanceOf(Plan.Act.class);
    assertThat(Planner.next(seen, memory, Policy.DEFAULT)).isInstanceOf(Plan.Hold.class);
    dev.sluice.planner.reading.View old =
        new dev.sluice.planner.reading.View(
            seen.now().plusSeconds(31),
            seen.servers(),
            seen.quorum(),
            seen.partitions(),
            seen.reassignments(),
            seen.anotherRoll());
    assertThat(Planner.next(old, Memory.EMPTY, Policy.DEFAULT).sentence())
        .contains("is too old to decide on");
  }

  @Test
  void a_server_that_was_meant_to_be_restarted_and_was_not_is_restarted_later() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).allOutdated();
    Plan meant = Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    Memory journalled = Memory.EMPTY.after(meant); // and the roller ended before it acted
    cluster.after(Duration.ofSeconds(30));
    Roll roll = Roll.of(cluster, Policy.DEFAULT, journalled, (_, _) -> {});
    assertThat(roll.order()).containsExactly(0, 1);
    assertThat(roll.done()).isTrue();
  }

  @Test
  void a_server_that_was_restarted_just_before_the_roller_ended_is_not_restarted_again() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).allOutdated();
    Plan.Act meant = (Plan.Act) Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    Memory journalled = Memory.EMPTY.after(meant);
    cluster.perform(meant);
    cluster.after(Duration.ofSeconds(30));
    Roll roll = Roll.of(cluster, Policy.DEFAULT, journalled, (_, _) -> {});
    assertThat(roll.order()).containsExactly(1);
  }

  @Test
  void a_server_is_back_only_when_it_is_in_its_in_sync_sets_again() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).outdated(0);
    cluster.topic("a", 2, on(0, 1, 2), 0, 1, 2);
    Plan.Act act = (Plan.Act) Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    Memory memory = Memory.EMPTY.after(act);
    cluster.perform(act);
    cluster.leavesSync("a", 0).after(Duration.ofSeconds(60));
    Plan waiting = Planner.next(cluster.view(), memory, Policy.DEFAULT);
    assertThat(waiting.sentence()).contains("not yet back in the in-sync sets of 1 partition");
    memory = memory.after(waiting);
    cluster.inSyncAgain("a", 0).after(Duration.ofSeconds(6));
    Plan watching = Planner.next(cluster.view(), memory, Policy.DEFAULT);
    assertThat(watching.sentence()).contains("being watched");
    memory = memory.after(watching);
    cluster.after(Duration.ofSeconds(10));
    assertThat(Planner.next(cluster.view(), memory, Policy.DEFAULT)).isInstanceOf(Plan.Done.class);
  }

  @Test
  void a_recovery_without_progress_is_told_as_stalled_and_still_not_restarted() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).outdated(0).recovering(0, 2, 50);
    Roll roll = Roll.of(cluster);
    assertThat(roll.order()).isEmpty();
    assertThat(roll.said()).contains("recovering: 2 logs and 50 segments left, stalled");
  }

  @Test
  void a_voter_that_does_not_serve_and_has_fallen_behind_may_go_though_no_majority_is_left() {
    SimCluster cluster = SimCluster.of().controllers(0, 1, 2, 3).active(0).notReady(1, 3);
    cluster.behind(1, 60_000).behind(3, 60_000);
    Plan plan = Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(((Plan.Act) plan).targets()).containsOnlyKeys(1);
    Plan voting = Planner.next(cluster.behind(1, 0).view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(((Plan.Act) voting).targets()).containsOnlyKeys(3);
  }

  @Test
  void a_broker_that_does_not_serve_is_freed_by_being_fenced_and_not_by_its_probe_alone() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).notReady(0).topic("a", 1, on(0, 1), 0);
    assertThat(Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT))
        .isInstanceOf(Plan.Hold.class);
    assertThat(Planner.next(cluster.fenced(true, 0).view(), Memory.EMPTY, Policy.DEFAULT))
        .isInstanceOf(Plan.Act.class);
  }

  @Test
  void when_nobody_answers_only_what_positively_does_not_serve_is_restarted_one_by_one() {
    SimCluster cluster = SimCluster.of().controllers(0, 1, 2).notReady(0, 1, 2).quorumSilent(true);
    Plan plan = Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(((Plan.Act) plan).targets()).containsOnlyKeys(0);
    assertThat(Planner.next(cluster.probeSilent(2).view(), Memory.EMPTY, Policy.DEFAULT))
        .isInstanceOf(Plan.Hold.class);
  }
}
