package dev.sluice.planner;

import static dev.sluice.planner.SimCluster.on;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What partitions allow: A1 to A11. Every server wants a restart; which of them may go alone? */
class ParityAvailabilityTest {

  private static List<Integer> rollable(SimCluster cluster, Policy policy) {
    List<Assessment> servers = Planner.assess(cluster.view(), Memory.EMPTY, policy);
    TreeSet<Integer> rollable = new TreeSet<>();
    servers.forEach(server -> rollable.add(server.server()));
    Forecast forecast = Planner.forecast(cluster.view(), Memory.EMPTY, policy);
    forecast.blocked().forEach(blocked -> rollable.remove(blocked.server()));
    return List.copyOf(rollable);
  }

  private static List<Integer> rollable(SimCluster cluster) {
    return rollable(cluster, Policy.DEFAULT);
  }

  private static SimCluster brokers() {
    return SimCluster.of().brokers(0, 1, 2, 3, 4).allOutdated();
  }

  @Test
  @Parity("A1")
  void a_partition_below_its_minimum_holds_all_its_replicas() {
    assertThat(rollable(brokers().topic("b", 2, on(0, 1, 3), 1))).containsExactly(2, 4);
  }

  @Test
  @Parity("A2")
  void a_partition_with_no_more_replicas_than_its_minimum_holds_nobody() {
    SimCluster cluster = brokers().topic("a", 2, on(0, 1), 0, 1);
    assertThat(rollable(cluster)).containsExactly(0, 1, 2, 3, 4);
    assertThat(Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT).sentence())
        .contains("1 partition with no replica to spare will be unavailable for about 2m10s");
  }

  @Test
  @Parity("A3")
  void a_partition_above_its_minimum_holds_nobody() {
    assertThat(rollable(brokers().topic("a", 1, on(0, 1, 2), 0, 1, 2)))
        .containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @Parity("A4")
  void as_many_replicas_as_the_minimum_hold_nobody_though_all_are_in_sync() {
    assertThat(rollable(brokers().topic("a", 3, on(0, 1, 2), 0, 1, 2)))
        .containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @Parity("A5")
  void as_many_replicas_as_the_minimum_hold_nobody_though_one_is_out_of_sync() {
    assertThat(rollable(brokers().topic("a", 3, on(0, 1, 2), 0, 1))).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @Parity("A6")
  void a_minimum_above_the_replicas_holds_nobody() {
    assertThat(rollable(brokers().topic("a", 2, on(0), 0))).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @Parity("A7")
  void the_last_in_sync_replica_is_held_also_without_a_leader() {
    assertThat(rollable(brokers().topic("a", 1, on(0, 1, 2), 1, 2).topic("b", 1, on(0, 1), 0)))
        .containsExactly(1, 2, 3, 4);
  }

  @Test
  @Parity(
      value = "A8",
      better = "A topic without a minimum of its own has Kafka's: one must stay in sync.")
  void without_a_minimum_of_its_own_one_replica_stays() {
    assertThat(rollable(brokers().topic("a", 1, on(0, 1), 0, 1))).containsExactly(0, 1, 2, 3, 4);
    assertThat(rollable(brokers().topic("a", 1, on(0, 1), 0))).containsExactly(1, 2, 3, 4);
  }

  @Test
  @Parity(
      value = {"A9", "A10", "A11"},
      better = "A look that fails holds what depends on it, says why, and is made again.")
  void brokers_wait_while_their_partitions_cannot_be_seen() {
    Plan plan = Planner.next(brokers().partitionsSilent(true).view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(plan).isInstanceOf(Plan.Hold.class);
    assertThat(plan.sentence())
        .contains("waits until its partitions can be seen: the listing of topics failed");
  }

  @Test
  void a_margin_is_used_where_the_replication_factor_allows_and_the_fall_back_is_said() {
    Policy policy = Policy.DEFAULT.withMargin(1);
    assertThat(rollable(brokers().topic("a", 2, on(0, 1, 2, 3), 0, 1, 2), policy))
        .containsExactly(3, 4);
    SimCluster narrow = brokers().topic("a", 2, on(0, 1, 2), 0, 1, 2);
    assertThat(rollable(narrow, policy)).containsExactly(0, 1, 2, 3, 4);
    assertThat(Planner.next(narrow.view(), Memory.EMPTY, policy).sentence())
        .contains("a margin of 1 does not fit the replication factor of 1 partition");
  }

  @Test
  void a_replica_whose_server_is_down_does_not_count_though_it_is_in_sync_by_kafka() {
    SimCluster cluster =
        brokers().current(2).notRunning("it crashed", 2).topic("a", 1, on(0, 2), 0, 2);
    assertThat(rollable(cluster, Policy.DEFAULT.curingDownServers())).doesNotContain(0);
  }

  @Test
  void an_eligible_leader_of_a_partition_below_its_minimum_is_held() {
    SimCluster cluster = brokers().topicWithEligible("a", 2, on(0, 1, 2), on(0), 1);
    Forecast forecast = Planner.forecast(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(forecast.blocked())
        .anyMatch(
            blocked -> blocked.server() == 1 && blocked.why() instanceof Block.MayBeLastLeader);
  }

  @Test
  void what_does_not_run_is_started_though_its_partitions_are_below_their_minimum() {
    SimCluster cluster = brokers().notRunning("no memory", 1).topic("a", 2, on(0, 1, 2), 0);
    Plan plan = Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(((Plan.Act) plan).targets()).containsOnlyKeys(1);
  }

  @Test
  void a_reassignment_under_way_holds_its_servers_by_name() {
    Roll roll = Roll.of(brokers().reassigning(1, "orders-3"));
    assertThat(roll.order()).containsExactly(0, 2, 3, 4);
    assertThat(roll.said()).contains("server 1 waits for reassignments: orders-3");
  }

  @Test
  void slack_lets_two_of_four_go_together() {
    SimCluster cluster =
        SimCluster.of().brokers(0, 1, 2, 3).allOutdated().topic("a", 2, on(0, 1, 2, 3), 0, 1, 2, 3);
    assertThat(Roll.of(cluster, Policy.DEFAULT.withMaxParallel(9)).batches)
        .containsExactly(List.of(0, 1), List.of(2, 3));
  }
}
