package dev.sluice.planner;

import static dev.sluice.planner.SimCluster.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order, failures and recovery: P01 to P43. */
class ParityOrderTest {

  private static final Operation CHANGE =
      new Operation.Set("compression.type", Scope.CLUSTER_WIDE, "gzip", false);

  private static SimCluster controllers() {
    return SimCluster.of().controllers(0, 1, 2, 3, 4).active(2).allOutdated();
  }

  private static SimCluster combined() {
    return SimCluster.of().combined(0, 1, 2, 3, 4).active(2).allOutdated();
  }

  private static SimCluster brokers() {
    return SimCluster.of().brokers(0, 1, 2, 3, 4).allOutdated();
  }

  private static SimCluster brokersAndControllers() {
    return SimCluster.of().brokers(0, 1, 2).controllers(3, 4, 5).active(3).allOutdated();
  }

  private static SimCluster allRoles() {
    return SimCluster.of()
        .brokers(0, 1, 2)
        .combined(3, 4, 5)
        .controllers(6, 7, 8)
        .active(6)
        .allOutdated();
  }

  @Test
  @Parity("P01")
  void brokers_go_in_order_of_their_ids() {
    assertThat(Roll.of(brokers()).order()).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @Parity("P02")
  void the_active_controller_goes_last() {
    assertThat(Roll.of(controllers()).order()).containsExactly(0, 1, 3, 4, 2);
  }

  @Test
  @Parity("P03")
  void controllers_go_before_brokers() {
    assertThat(Roll.of(brokersAndControllers()).order()).containsExactly(4, 5, 3, 0, 1, 2);
  }

  @Test
  @Parity("P04")
  void a_broker_that_does_not_come_back_ends_the_roll() {
    Roll roll = Roll.of(brokers().neverReadyAgain(0));
    assertThat(roll.order()).containsExactly(0);
    assertThat(roll.halt()).isInstanceOf(HaltReason.DidNotComeBack.class);
    assertThat(roll.said()).contains("server 0 did not come back after its restart");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Parity({"P05", "P06"})
  void what_does_not_serve_goes_first_and_a_second_run_restarts_nobody(int sick) {
    SimCluster cluster = brokers().notReady(sick).neverReadyAgain(sick);
    Roll first = Roll.of(cluster);
    assertThat(first.order()).containsExactly(sick);
    Roll second = Roll.of(cluster, Policy.DEFAULT, first.memory, (_, _) -> {});
    assertThat(second.order()).isEmpty();
    assertThat(second.halt()).isInstanceOf(HaltReason.DidNotComeBack.class);
  }

  @Test
  @Parity(
      value = "P07",
      better =
          "A controller that does not serve goes first also when it is the active one; healthy ones"
              + " are not restarted on the way to a failure that is there already.")
  void an_active_controller_that_does_not_serve_goes_first_and_alone() {
    Roll roll = Roll.of(controllers().notReady(2).neverReadyAgain(2));
    assertThat(roll.order()).containsExactly(2);
    assertThat(roll.halt()).isInstanceOf(HaltReason.DidNotComeBack.class);
    assertThat(Roll.of(roll.cluster, Policy.DEFAULT, roll.memory, (_, _) -> {}).order()).isEmpty();
  }

  @Test
  @Parity(value = "P08", better = "As P07.")
  void an_active_combined_server_that_does_not_serve_goes_first_and_alone() {
    Roll roll = Roll.of(combined().notReady(2).neverReadyAgain(2));
    assertThat(roll.order()).containsExactly(2);
    assertThat(roll.halt()).isInstanceOf(HaltReason.DidNotComeBack.class);
  }

  @Test
  @Parity("P09")
  void ids_need_not_be_consecutive() {
    SimCluster cluster =
        SimCluster.of().controllers(10, 200, 30, 400, 500).active(30).allOutdated();
    assertThat(Roll.of(cluster).order()).containsExactly(10, 200, 400, 500, 30);
  }

  @Test
  @Parity(
      value = "P10",
      better = "What cannot be asked is unknown, and unknown is no reason to restart by force.")
  void a_broker_that_cannot_be_asked_is_not_restarted() {
    heldWhileUnknown(brokers());
  }

  @Test
  @Parity(value = "P11", better = "As P10.")
  void a_combined_server_that_cannot_be_asked_is_not_restarted() {
    heldWhileUnknown(combined());
  }

  @Test
  @Parity(value = "P12", better = "As P10.")
  void a_controller_that_cannot_be_asked_is_not_restarted() {
    heldWhileUnknown(controllers());
  }

  private static void heldWhileUnknown(SimCluster cluster) {
    Roll roll = Roll.of(cluster.platformSilent(1));
    assertThat(roll.order()).doesNotContain(1).contains(0, 3, 4);
    assertThat(roll.said()).contains("server 1 may need something: its platform");
  }

  @Test
  @Parity(
      value = "P13",
      better = "One look at the quorum serves all: while it fails nobody is restarted.")
  void nobody_is_restarted_while_the_leader_is_not_known() {
    Roll roll = rollWithSilentQuorum(brokersAndControllers());
    assertThat(roll.plans.getFirst().sentence())
        .contains("waits until the metadata quorum can be seen");
    assertThat(roll.order()).containsExactly(4, 5, 3, 0, 1, 2);
  }

  @Test
  @Parity("P14")
  void a_look_at_the_quorum_that_fails_once_changes_nothing_of_the_order() {
    assertThat(rollWithSilentQuorum(controllers()).order()).containsExactly(0, 1, 3, 4, 2);
  }

  private static Roll rollWithSilentQuorum(SimCluster cluster) {
    return Roll.of(
        cluster.quorumSilent(true),
        Policy.DEFAULT,
        Memory.EMPTY,
        (seen, _) -> seen.quorumSilent(false));
  }

  @Test
  @Parity(value = "P15", better = "Closing is the shell's; no decision depends on it.")
  void brokers_that_answered_go_in_order_whatever_comes_after() {
    assertThat(Roll.of(brokers()).order()).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @Parity(value = "P16", better = "As P15.")
  void controllers_that_answered_go_in_order_whatever_comes_after() {
    assertThat(Roll.of(controllers().active(3)).order()).containsExactly(0, 1, 2, 4, 3);
  }

  @Test
  @Parity("P17")
  void a_broker_that_must_not_go_yet_is_passed_over_and_goes_later() {
    SimCluster cluster = brokers().topic("orders", 1, on(1, 2), 1);
    Roll roll =
        Roll.of(
            cluster,
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              if (plan instanceof Plan.Act act && act.targets().containsKey(4)) {
                seen.inSyncAgain("orders", 2);
              }
            });
    assertThat(roll.order()).containsExactly(0, 2, 3, 4, 1);
    assertThat(roll.done()).isTrue();
  }

  @Test
  @Parity("P18")
  void a_combined_server_that_must_not_go_yet_is_passed_over_and_goes_before_the_active_one() {
    SimCluster cluster = combined().topic("orders", 1, on(1, 2), 1);
    Roll roll =
        Roll.of(
            cluster,
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              if (plan instanceof Plan.Act act && act.targets().containsKey(4)) {
                seen.inSyncAgain("orders", 2);
              }
            });
    assertThat(roll.order()).containsExactly(0, 3, 4, 1, 2);
  }

  @Test
  @Parity("P19")
  void a_controller_that_the_quorum_needs_goes_once_others_have_caught_up() {
    Roll roll =
        Roll.of(
            controllers().behind(3, 3_000).behind(4, 3_000),
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              if (plan instanceof Plan.Act act && act.targets().containsKey(4)) {
                seen.behind(3, 0).behind(4, 0);
              }
            });
    assertThat(roll.order()).containsExactly(3, 4, 0, 1, 2);
  }

  @Test
  @Parity("P20")
  void a_broker_that_must_never_go_is_left_and_named_with_its_partition() {
    neverAllowed(brokers(), List.of(0, 2, 3, 4));
  }

  @Test
  @Parity("P21")
  void a_combined_server_that_must_never_go_is_left_and_named_with_its_partition() {
    neverAllowed(combined(), List.of(0, 3, 4));
  }

  private static void neverAllowed(SimCluster cluster, List<Integer> allowed) {
    Roll roll = Roll.of(cluster.topic("orders", 1, on(1, 9), 1));
    assertThat(roll.order()).containsExactlyElementsOf(allowed);
    assertThat(roll.halt()).isInstanceOf(HaltReason.NothingMoved.class);
    assertThat(roll.said())
        .contains(
            "server 1 is needed by orders-0 (in sync {1} of {1, 9}, minimum 1; missing: 9, which"
                + " nobody looks at)");
    assertThat(Roll.of(cluster, Policy.DEFAULT, roll.memory, (_, _) -> {}).order()).isEmpty();
  }

  @Test
  @Parity("P22")
  void an_active_controller_that_must_never_go_is_left() {
    SimCluster cluster =
        SimCluster.of().controllers(0, 1, 2, 3, 4).active(2).outdated(2).behind(3, 9_000);
    Roll roll = Roll.of(cluster.behind(4, 9_000));
    assertThat(roll.order()).isEmpty();
    assertThat(roll.said())
        .contains("server 2 is needed by the quorum: of 5 voters only {0, 1, 2} are caught up");
  }

  @Test
  @Parity(
      value = {"P23", "P24", "P25"},
      better = "What a server needs by its revision is known without its configuration.")
  void a_configuration_that_cannot_be_read_takes_no_other_reason_away() {
    assertThat(Roll.of(brokers().configurationUnreadable(true, 1)).order())
        .containsExactly(0, 1, 2, 3, 4);
    assertThat(Roll.of(combined().configurationUnreadable(true, 1)).order())
        .containsExactly(0, 1, 3, 4, 2);
    assertThat(Roll.of(controllers().configurationUnreadable(true, 1)).order())
        .containsExactly(0, 1, 3, 4, 2);
  }

  @Test
  @Parity(
      value = "P26",
      better = "A configuration that cannot be read is no reason to restart: it is asked again.")
  void a_configuration_that_cannot_be_read_is_no_reason_to_restart() {
    SimCluster cluster =
        SimCluster.of().controllers(0, 1, 2).active(2).configurationUnreadable(true, 2);
    Roll roll = Roll.of(cluster);
    assertThat(roll.order()).isEmpty();
    assertThat(roll.said()).contains("server 2 may need something: its configuration");
  }

  @Test
  @Parity("P27")
  void a_change_that_running_servers_take_restarts_nobody() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).combined(3, 4, 5).controllers(6, 7, 8);
    for (int id = 0; id < 9; id++) {
      cluster.changes(id, CHANGE);
    }
    Roll roll = Roll.of(cluster);
    assertThat(roll.order()).isEmpty();
    assertThat(roll.changes).hasSize(9);
    assertThat(roll.done()).isTrue();
  }

  @Test
  @Parity("P28")
  void operations_keep_their_scope() {
    Operation atBroker = new Operation.Delete("log.retention.ms", Scope.PER_BROKER);
    Roll roll = Roll.of(SimCluster.of().brokers(0).changes(0, CHANGE, atBroker));
    assertThat(roll.acts.getFirst().targets().get(0))
        .isEqualTo(new Need.Reconfigure(List.of(CHANGE, atBroker)));
  }

  @Test
  @Parity(
      value = "P30",
      better =
          "A change that does not show when it is read back is made again, three times; then a"
              + " restart is needed, with that as its reason; if that does not help, it is a loop.")
  void a_change_without_effect_becomes_a_restart_and_then_a_halt_that_names_the_key() {
    Roll roll = Roll.of(SimCluster.of().brokers(0, 1).changes(0, CHANGE).refusesChanges(0));
    assertThat(roll.changes).hasSize(3);
    assertThat(roll.order()).containsExactly(0);
    assertThat(roll.halt()).isInstanceOf(HaltReason.Loop.class);
    assertThat(roll.said()).contains("had no effect: compression.type");
  }

  @Test
  @Parity(
      value = "P31",
      better = "Without an active controller nobody is restarted: what would register it again?")
  void nobody_is_restarted_while_every_controller_says_that_there_is_no_leader() {
    Roll roll =
        Roll.of(SimCluster.of().combined(0, 1, 2).controllers(3, 4, 5).noLeader().allOutdated());
    assertThat(roll.order()).isEmpty();
    assertThat(roll.said()).contains("every controller says that there is none");
  }

  @Test
  @Parity("P32")
  void without_a_majority_to_spare_no_controller_is_restarted() {
    SimCluster cluster = SimCluster.of().controllers(0, 1, 2).active(0).allOutdated();
    Roll roll = Roll.of(cluster.behind(1, -1).behind(2, -1).behind(0, -1));
    assertThat(roll.order()).isEmpty();
    assertThat(roll.said()).contains("of 3 voters only {} are caught up");
  }

  @Test
  @Parity(
      value = "P33",
      better = "The reason that is told is the partition or the quorum, not the order.")
  void the_active_controller_waits_for_another_that_must_never_go_and_the_root_cause_is_told() {
    Roll roll = Roll.of(combined().topic("orders", 1, on(3, 9), 3));
    assertThat(roll.order()).containsExactly(0, 1, 4);
    assertThat(roll.said())
        .contains("server 3 is needed by orders-0")
        .contains("server 2 is the active controller and goes after {3}");
  }

  @Test
  @Parity("P34")
  void a_broker_that_recovers_is_never_restarted_and_the_others_go_on() {
    Roll roll = Roll.of(brokersAndControllers().recovering(0, 10, 100));
    assertThat(roll.order()).containsExactly(4, 5, 3, 1, 2);
    assertThat(roll.said()).contains("server 0 is recovering: 10 logs and 100 segments left");
  }

  @Test
  @Parity("P35")
  void a_controller_that_recovers_is_never_restarted() {
    SimCluster cluster = SimCluster.of().controllers(0, 1, 2).active(2).allOutdated();
    Roll roll = Roll.of(cluster.recovering(0, 1, 5));
    assertThat(roll.order()).containsExactly(1, 2);
    assertThat(roll.said()).contains("server 0 is recovering");
  }

  @Test
  @Parity(value = "P36", better = "Brokers go on: what is safe is decided by safety, not by phase.")
  void brokers_go_on_while_a_combined_server_recovers() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).combined(3, 4, 5).active(3).allOutdated();
    Roll roll = Roll.of(cluster.recovering(4, 10, 100));
    assertThat(roll.order()).containsExactly(5, 3, 0, 1, 2);
  }

  @Test
  @Parity("P37")
  void a_server_that_is_not_ready_and_does_not_recover_is_restarted_once() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).notReady(0).neverReadyAgain(0);
    Roll roll = Roll.of(cluster);
    assertThat(roll.order()).containsExactly(0);
    assertThat(roll.halt()).isInstanceOf(HaltReason.DidNotComeBack.class);
  }

  @Test
  @Parity(
      value = "P38",
      better =
          "A silent agent is not a denial: what may recover is never restarted, or the work of hours"
              + " is thrown away again and again.")
  void a_server_whose_agent_is_silent_is_not_restarted() {
    Roll roll = Roll.of(brokers().notReady(0).probeSilent(0));
    assertThat(roll.order()).containsExactly(1, 2, 3, 4);
    assertThat(roll.said()).contains("whether it recovers is not known: the agent is silent");
  }

  @Test
  @Parity(
      value = "P39",
      better = "Readiness that cannot be read makes one server unknown, and ends nothing.")
  void readiness_that_cannot_be_read_concerns_that_server_alone() {
    assertThat(Roll.of(brokers().platformSilent(4)).order()).containsExactly(0, 1, 2, 3);
  }

  @Test
  @Parity(value = "P40", better = "Pure controllers go before combined servers; ADR 0050 says why.")
  void pure_controllers_go_before_combined_servers_and_these_before_brokers() {
    assertThat(Roll.of(allRoles()).order()).containsExactly(7, 8, 3, 4, 5, 6, 0, 1, 2);
  }

  @Test
  @Parity(value = "P41", better = "As P40; what does not serve goes first in the same order.")
  void what_does_not_serve_goes_first_whatever_its_roles() {
    assertThat(Roll.of(allRoles().notReady(1, 4, 7)).order())
        .containsExactly(7, 4, 1, 8, 3, 5, 6, 0, 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"CrashLoopBackOff", "ImagePullBackOff", "ContainerCreating", "InvalidImageName"})
  @Parity("P42")
  void a_server_that_cannot_start_and_is_not_outdated_ends_the_roll(String why) {
    Roll roll =
        Roll.of(SimCluster.of().brokers(0, 1, 2, 3, 4).outdated(0, 1, 2).notRunning(why, 3));
    assertThat(roll.order()).isEmpty();
    assertThat(roll.halt()).isInstanceOf(HaltReason.DownAndCurrent.class);
    assertThat(roll.said()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"CrashLoopBackOff", "ImagePullBackOff", "ContainerCreating", "InvalidImageName"})
  @Parity(
      value = "P43",
      better = "What is down goes first, so that a bad revision is found where it breaks nothing.")
  void a_server_that_cannot_start_and_is_outdated_goes_first(String why) {
    Roll roll = Roll.of(brokers().notRunning(why, 3));
    assertThat(roll.order()).containsExactly(3, 0, 1, 2, 4);
  }

  @Test
  void a_server_that_has_not_started_for_long_is_not_running_whatever_the_platform_calls_it() {
    SimCluster cluster = SimCluster.of().brokers(0, 1).notRunning("", 1).outdated(0);
    Roll roll = Roll.of(cluster);
    assertThat(roll.halt()).isInstanceOf(HaltReason.DownAndCurrent.class);
    Roll young =
        Roll.of(
            SimCluster.of().brokers(0, 1).notRunning("", 1).startedNow(1).outdated(0),
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              if (plan instanceof Plan.Act) {
                seen.readyAgain(1);
              }
            });
    assertThat(young.order()).containsExactly(0);
    assertThat(young.done()).isTrue();
  }

  @Test
  void waiting_for_a_server_that_makes_progress_is_no_attempt_and_has_no_end() {
    Duration[] recovering = {Duration.ZERO};
    Roll roll =
        Roll.of(
            brokers(),
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              boolean first = plan.at().isBefore(SimCluster.START.plus(Duration.ofHours(1)));
              if (first) {
                recovering[0] = Duration.between(SimCluster.START, plan.at());
                seen.recovering(0, 1, (int) (10_000 - recovering[0].toSeconds()));
              } else {
                seen.recovered(0);
              }
            });
    assertThat(recovering[0]).isGreaterThan(Duration.ofMinutes(59));
    assertThat(roll.order()).containsExactly(0, 1, 2, 3, 4);
    assertThat(roll.done()).isTrue();
  }
}
