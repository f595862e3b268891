package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the metadata quorum allows: Q1 to Q14. One controller wants a restart; may it? */
class ParityQuorumTest {

  private static SimCluster quorum(int size) {
    SimCluster cluster = SimCluster.of();
    for (int id = 1; id <= size; id++) {
      cluster.controllers(id);
    }
    return cluster.active(1);
  }

  private static boolean mayGo(SimCluster cluster, int id) {
    return Planner.next(cluster.outdated(id).view(), Memory.EMPTY, Policy.DEFAULT)
        instanceof Plan.Act;
  }

  @Test
  @Parity("Q1")
  void the_leader_of_three_may_go_when_the_others_are_close() {
    assertThat(mayGo(quorum(3).behind(2, 500).behind(3, 300), 1)).isTrue();
  }

  @Test
  @Parity("Q2")
  void the_leader_of_four_may_go_when_the_others_are_close() {
    assertThat(mayGo(quorum(4).behind(2, 500).behind(3, 300).behind(4, 300), 1)).isTrue();
  }

  @Test
  @Parity("Q3")
  void the_leader_of_three_may_not_go_when_one_is_behind() {
    assertThat(mayGo(quorum(3).behind(2, 3_000), 1)).isFalse();
  }

  @Test
  @Parity("Q4")
  void the_leader_of_four_may_not_go_when_one_is_behind() {
    assertThat(mayGo(quorum(4).behind(2, 3_000), 1)).isFalse();
  }

  @Test
  @Parity("Q5")
  void a_voter_that_is_behind_may_itself_go() {
    assertThat(mayGo(quorum(3).behind(2, 3_000), 2)).isTrue();
  }

  @Test
  @Parity("Q6")
  void a_voter_may_not_go_when_another_is_behind() {
    assertThat(mayGo(quorum(3).behind(3, 3_000), 2)).isFalse();
  }

  @Test
  @Parity("Q7")
  void nobody_may_go_when_no_time_is_known() {
    assertThat(mayGo(quorum(3).behind(1, -1).behind(2, -1).behind(3, -1), 2)).isFalse();
  }

  @Test
  @Parity(value = "Q8", better = "The look failed, which holds the controllers and says why.")
  void nobody_may_go_when_the_quorum_cannot_be_described() {
    SimCluster cluster = quorum(3).quorumSilent(true).outdated(2);
    assertThat(Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT).sentence())
        .contains("server 2 waits until the metadata quorum can be seen: no controller answered");
  }

  @Test
  @Parity("Q9")
  void the_only_voter_may_go_and_the_time_without_a_quorum_is_announced() {
    SimCluster cluster = quorum(1).outdated(1);
    assertThat(Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT).sentence())
        .contains("no quorum for about 40s");
  }

  @Test
  @Parity("Q10")
  void one_of_two_may_go_when_the_other_is_caught_up() {
    assertThat(mayGo(quorum(2), 1)).isTrue();
  }

  @Test
  @Parity("Q11")
  void one_of_two_may_not_go_when_the_other_is_behind() {
    assertThat(mayGo(quorum(2).behind(2, 3_000), 1)).isFalse();
  }

  @Test
  @Parity("Q12")
  void a_voter_whose_time_is_not_known_does_not_count() {
    assertThat(mayGo(quorum(3).behind(3, -1), 2)).isFalse();
  }

  @Test
  @Parity("Q13")
  void nobody_may_go_without_a_leader() {
    assertThat(mayGo(quorum(3).noLeader(), 2)).isFalse();
  }

  @Test
  @Parity("Q14")
  void the_time_out_is_the_quorum_s_own() {
    assertThat(mayGo(quorum(3).quorum(reading(50)), 2)).isTrue();
    assertThat(mayGo(quorum(3).quorum(reading(150)), 2)).isFalse();
  }

  private static QuorumReading reading(long lag) {
    UUID any = QuorumReading.ANY_DIRECTORY;
    return new QuorumReading(
        OptionalInt.of(1),
        List.of(
            new Replica(1, any, 10_000),
            new Replica(2, any, 10_000),
            new Replica(3, any, 10_000 - lag)),
        List.of(),
        Duration.ofMillis(100));
  }

  @Test
  void a_voter_that_runs_with_another_directory_only_observes() {
    UUID lost = new UUID(7, 7);
    QuorumReading reading =
        new QuorumReading(
            OptionalInt.of(1),
            List.of(
                new Replica(1, new UUID(1, 1), 10_000),
                new Replica(2, new UUID(2, 2), 10_000),
                new Replica(3, new UUID(3, 3), 10_000)),
            List.of(new Replica(3, lost, 10_000)),
            Duration.ofSeconds(2));
    assertThat(mayGo(quorum(3).quorum(reading), 2)).isFalse();
    assertThat(mayGo(quorum(3).quorum(reading), 3)).isTrue();
  }

  @Test
  void voters_of_a_lost_quorum_that_do_not_run_are_started_together() {
    SimCluster cluster = quorum(3).allOutdated().notRunning("bad option", 2, 3).noLeader();
    Plan plan = Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(((Plan.Act) plan).targets()).containsOnlyKeys(2, 3);
    Plan withLeader = Planner.next(cluster.active(1).view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(((Plan.Act) withLeader).targets()).containsOnlyKeys(2);
  }

  /** Those that run are not touched: what is unseen may be well. */
  @Test
  void voters_that_do_not_run_are_started_together_when_nobody_describes_the_quorum() {
    SimCluster cluster = quorum(5).allOutdated().notRunning("killed", 3, 4, 5).quorumSilent(true);
    Plan plan = Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    assertThat(((Plan.Act) plan).targets()).containsOnlyKeys(3, 4, 5);
  }
}
