package dev.sluice.roller.cluster;

import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Fact.Missing;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import dev.sluice.planner.reading.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Notices that a quorum has no leader. Only its leader describes it; when that cannot be had, every
 * controller counts with its own word, given at its own port. One whose process is known not to run
 * has nothing to say; one that is silent may know of a leader, and then nobody knows anything. Used
 * by the thread of the loop.
 */
final class Leaderless {

  /** More than an election takes, during which nobody knows of a leader either. */
  static final Duration COUNTS_AFTER = Duration.ofSeconds(5);

  /** Not told by anybody, and not needed where nobody is caught up. */
  private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(2);

  private List<Replica> voters = List.of();
  private Optional<Instant> since = Optional.empty();

  /**
   * What the leader said, or else what all controllers say.
   *
   * @param now when all of it was known
   */
  Fact<QuorumReading> judge(
      Fact<QuorumReading> described, List<ServerAnswers> servers, Instant now) {
    List<ServerAnswers> controllers =
        servers.stream().filter(each -> each.server().roles().contains(Role.CONTROLLER)).toList();
    if (described instanceof Known<QuorumReading>(QuorumReading seen, _)) {
      voters = seen.voters();
      since = Optional.empty();
      return described;
    }
    Optional<Instant> told =
        controllers.stream().flatMap(each -> denied(each).stream()).min(Instant::compareTo);
    boolean all = controllers.stream().allMatch(each -> isAway(each) || denied(each).isPresent());
    if (told.isEmpty() || !all) {
      since = Optional.empty();
      return described;
    }
    Instant first = since.orElse(told.get());
    since = Optional.of(first);
    return Duration.between(first, now).compareTo(COUNTS_AFTER) < 0
        ? Fact.missing("no controller knows of an active one, which may be an election")
        : Fact.known(
            new QuorumReading(OptionalInt.empty(), voters(controllers), List.of(), FETCH_TIMEOUT),
            told.get());
  }

  /** Those that were described last; before that, whoever is meant to be one. */
  private List<Replica> voters(List<ServerAnswers> controllers) {
    return voters.isEmpty()
        ? controllers.stream()
            .map(
                each ->
                    new Replica(
                        each.server().id(), QuorumReading.ANY_DIRECTORY, QuorumReading.NEVER))
            .toList()
        : voters;
  }

  /** When it said that it knows of no active controller. */
  private static Optional<Instant> denied(ServerAnswers controller) {
    return switch (controller.port()) {
      case Known<PortLook.Seen>(PortLook.Seen seen, Instant at) when seen.knowsOfNoController() ->
          Optional.of(at);
      case Known<PortLook.Seen> _, Missing<PortLook.Seen> _ -> Optional.empty();
    };
  }

  private static boolean isAway(ServerAnswers controller) {
    return controller.platform() instanceof Known<PlatformReading>(PlatformReading platform, _)
        && !platform.running();
  }
}
