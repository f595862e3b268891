package dev.sluice.roller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ActualRolesTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ServerSpec BOTH =
      new ServerSpec(3, Set.of(Role.BROKER, Role.CONTROLLER), Optional.empty());

  private static Fact<Map<Integer, Node>> brokers(Integer... ids) {
    return Fact.known(
        List.of(ids).stream()
            .collect(
                java.util.stream.Collectors.toMap(
                    id -> id, id -> new Node(id, "kafka-" + id, 9092))),
        NOW);
  }

  private static Fact<QuorumReading> voters(Integer... ids) {
    return Fact.known(
        new QuorumReading(
            OptionalInt.of(ids[0]),
            List.of(ids).stream()
                .map(id -> new Replica(id, QuorumReading.ANY_DIRECTORY, NOW.toEpochMilli()))
                .toList(),
            List.of(),
            Duration.ofSeconds(2)),
        NOW);
  }

  @Test
  void a_server_that_is_meant_to_be_a_broker_and_is_not_yet_one_is_no_broker() {
    assertThat(ClusterObserver.actualRoles(BOTH, brokers(1, 2), voters(1, 3)))
        .containsExactly(Role.CONTROLLER);
  }

  @Test
  void a_server_that_is_meant_to_vote_and_does_not_is_no_controller() {
    assertThat(ClusterObserver.actualRoles(BOTH, brokers(1, 3), voters(1, 2)))
        .containsExactly(Role.BROKER);
  }

  @Test
  void what_it_was_meant_to_be_counts_while_nobody_knows() {
    assertThat(ClusterObserver.actualRoles(BOTH, brokers(1), voters(1))).isEqualTo(BOTH.roles());
    assertThat(ClusterObserver.actualRoles(BOTH, Fact.missing("no answer"), voters(1)))
        .isEqualTo(BOTH.roles());
  }
}
