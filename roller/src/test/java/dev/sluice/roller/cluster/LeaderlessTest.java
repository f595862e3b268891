package dev.sluice.roller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.Handshake.Answer;
import dev.sluice.roller.cluster.Handshake.Word;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaderlessTest {

  private static final Instant ASKED = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = ASKED.plus(Leaderless.COUNTS_AFTER);
  private static final Fact<QuorumReading> SILENCE = Fact.missing("no answer within 10s");

  private final Leaderless leaderless = new Leaderless();

  private static ServerAnswers controller(int id, Phase phase, Fact<PortLook.Seen> port) {
    return new ServerAnswers(
        new ServerSpec(id, Set.of(Role.CONTROLLER), Optional.empty()),
        Fact.known(new PlatformReading(phase, Instant.EPOCH, true, "", "", "", List.of()), ASKED),
        Fact.missing("nobody asks"),
        port);
  }

  private static ServerAnswers knowing(int id, int active) {
    return controller(
        id,
        Phase.RUNNING,
        Fact.known(
            new PortLook.Seen(
                new Answer.Given(Optional.of(new Word("ours", OptionalInt.of(active)))),
                Fact.missing("nobody compares it")),
            ASKED));
  }

  private static ServerAnswers silent(int id) {
    return controller(
        id,
        Phase.RUNNING,
        Fact.known(
            new PortLook.Seen(new Answer.Silence(), Fact.missing("it does not answer")), ASKED));
  }

  private static ServerAnswers stopped(int id) {
    return controller(id, Phase.ABSENT, Fact.missing("it does not run"));
  }

  @Test
  void a_quorum_is_leaderless_when_every_controller_that_runs_says_so() {
    var servers = List.of(knowing(1, -1), knowing(2, -1), stopped(3));

    assertThat(leaderless.judge(SILENCE, servers, LATER))
        .isInstanceOfSatisfying(
            Known.class,
            known ->
                assertThat(((QuorumReading) known.value()).leader()).isEqualTo(OptionalInt.empty()))
        .isEqualTo(
            Fact.known(
                new QuorumReading(
                    OptionalInt.empty(),
                    List.of(voter(1), voter(2), voter(3)),
                    List.of(),
                    Duration.ofSeconds(2)),
                ASKED));
  }

  private static Replica voter(int id) {
    return new Replica(id, QuorumReading.ANY_DIRECTORY, QuorumReading.NEVER);
  }

  @Test
  void an_election_is_not_the_end_of_a_quorum() {
    var servers = List.of(knowing(1, -1), knowing(2, -1), knowing(3, -1));

    assertThat(leaderless.judge(SILENCE, servers, LATER.minusMillis(1)))
        .isEqualTo(Fact.missing("no controller knows of an active one, which may be an election"));
  }

  @Test
  void one_silent_controller_may_know_of_a_leader() {
    var servers = List.of(knowing(1, -1), knowing(2, -1), silent(3));

    assertThat(leaderless.judge(SILENCE, servers, LATER)).isEqualTo(SILENCE);
  }

  @Test
  void one_controller_that_knows_of_a_leader_is_enough_to_doubt() {
    var servers = List.of(knowing(1, -1), knowing(2, 3), stopped(3));

    assertThat(leaderless.judge(SILENCE, servers, LATER)).isEqualTo(SILENCE);
  }

  @Test
  void a_combined_server_that_was_asked_as_a_broker_has_not_been_asked() {
    var broker =
        controller(
            2,
            Phase.RUNNING,
            Fact.known(
                new PortLook.Seen(
                    new Answer.Given(Optional.of(new Word("ours", OptionalInt.empty()))),
                    Fact.missing("nobody compares it")),
                ASKED));

    assertThat(leaderless.judge(SILENCE, List.of(knowing(1, -1), broker), LATER))
        .isEqualTo(SILENCE);
  }

  @Test
  void controllers_of_which_none_runs_say_nothing() {
    assertThat(leaderless.judge(SILENCE, List.of(stopped(1), stopped(2)), LATER))
        .isEqualTo(SILENCE);
  }

  @Test
  void the_voters_are_those_that_were_described_last() {
    var described =
        Fact.known(
            new QuorumReading(
                OptionalInt.of(1), List.of(voter(1)), List.of(), Duration.ofSeconds(2)),
            ASKED);
    var servers = List.of(knowing(1, -1), knowing(2, -1));

    assertThat(leaderless.judge(described, servers, ASKED)).isEqualTo(described);
    assertThat(leaderless.judge(SILENCE, servers, LATER))
        .isInstanceOfSatisfying(
            Known.class,
            known ->
                assertThat(((QuorumReading) known.value()).voters()).containsExactly(voter(1)));
  }
}
