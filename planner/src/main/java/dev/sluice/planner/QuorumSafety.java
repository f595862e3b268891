package dev.sluice.planner;

import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Fact.Missing;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/** Whether the metadata quorum keeps a majority of caught-up voters when a server goes. */
final class QuorumSafety {

  private final Fact<QuorumReading> quorum;
  private final Map<Integer, Assessment> servers;

  QuorumSafety(Fact<QuorumReading> quorum, Map<Integer, Assessment> servers) {
    this.quorum = quorum;
    this.servers = servers;
  }

  /**
   * Whether there is no quorum that an action could harm: every controller says that there is no
   * leader, or nobody can say anything because none of them serves, which is known of each. Silence
   * alone is neither.
   */
  boolean lost() {
    return quorum instanceof Known<QuorumReading>(QuorumReading seen, _)
        ? seen.leader().isEmpty()
        : noneServes();
  }

  /** Whether nobody could describe it: it may be well, or an election, or lost a moment ago. */
  boolean unseen() {
    return quorum instanceof Missing<QuorumReading>;
  }

  /** Whether every controller answered, and said so. */
  boolean lostByAllAccounts() {
    return lost() && quorum instanceof Known<QuorumReading>;
  }

  private boolean noneServes() {
    List<Assessment> controllers =
        servers.values().stream().filter(Assessment::controller).toList();
    return !controllers.isEmpty() && controllers.stream().allMatch(Assessment::positivelyAway);
  }

  /** The active controller, when it is known. */
  OptionalInt leader() {
    return quorum instanceof Known<QuorumReading>(QuorumReading seen, _)
        ? seen.leader()
        : OptionalInt.empty();
  }

  /** Whether a controller has a vote; when nobody can say, it may have one. */
  boolean votes(int server) {
    return !(quorum instanceof Known<QuorumReading>(QuorumReading seen, _))
        || voter(seen, server).isPresent();
  }

  /** Why a server that runs may not be restarted now. */
  Optional<Block> block(Assessment server) {
    if (lost() && server.controller() && server.positivelyAway()) {
      return Optional.empty();
    }
    return switch (quorum) {
      case Missing<QuorumReading>(String why) -> Optional.of(new Block.QuorumUnknown(why));
      case Known<QuorumReading>(QuorumReading seen, _) when seen.leader().isEmpty() ->
          Optional.of(new Block.QuorumLost());
      case Known<QuorumReading>(QuorumReading seen, _) ->
          server.controller() ? majority(seen, server) : Optional.empty();
    };
  }

  /** Whether restarting this server means a time without a quorum. */
  boolean interrupts(Assessment server) {
    return server.controller()
        && quorum instanceof Known<QuorumReading>(QuorumReading seen, _)
        && seen.voters().size() <= 2
        && voter(seen, server.server()).isPresent();
  }

  private Optional<Block> majority(QuorumReading seen, Assessment server) {
    Optional<Replica> voter = voter(seen, server.server());
    if (voter.isEmpty() || (server.positivelyAway() && !recent(seen, voter.get()))) {
      return Optional.empty(); // it has no vote, or gives none: there is nothing to take away
    }
    SortedSet<Integer> left = caughtUp(seen);
    List<Integer> before = List.copyOf(left);
    left.remove(server.server());
    int voters = seen.voters().size();
    boolean enough =
        switch (voters) {
          case 1 -> true; // there is no other way; it is announced
          case 2 -> left.size() == 1; // the other one holds all that was ever committed
          default -> left.size() >= voters / 2 + 1;
        };
    return enough ? Optional.empty() : Optional.of(new Block.QuorumTooThin(before, voters));
  }

  /** Voters that are within the fetch time-out of the leader, and whose servers are well. */
  private SortedSet<Integer> caughtUp(QuorumReading seen) {
    SortedSet<Integer> caughtUp = new TreeSet<>();
    for (Replica voter : seen.voters()) {
      if (recent(seen, voter) && !elsewhere(seen, voter) && isWell(voter.id())) {
        caughtUp.add(voter.id());
      }
    }
    return caughtUp;
  }

  private static boolean recent(QuorumReading seen, Replica voter) {
    long leading = leaderTime(seen);
    return leading != QuorumReading.NEVER
        && voter.caughtUpAt() != QuorumReading.NEVER
        && leading - voter.caughtUpAt() <= seen.fetchTimeout().toMillis();
  }

  private static long leaderTime(QuorumReading seen) {
    return seen.voters().stream()
        .filter(voter -> seen.leader().isPresent() && voter.id() == seen.leader().getAsInt())
        .mapToLong(Replica::caughtUpAt)
        .findFirst()
        .orElse(QuorumReading.NEVER);
  }

  /** A voter may replay its partitions as a broker and still vote. */
  private boolean isWell(int server) {
    Assessment known = servers.get(server);
    return known != null
        && (known.condition().counts() || known.condition() instanceof Condition.Recovering);
  }

  private static Optional<Replica> voter(QuorumReading seen, int server) {
    return seen.voters().stream()
        .filter(voter -> voter.id() == server && !elsewhere(seen, voter))
        .findFirst();
  }

  /** The same id fetches with another directory: the voter's log is gone, the server observes. */
  private static boolean elsewhere(QuorumReading seen, Replica voter) {
    return !voter.directory().equals(QuorumReading.ANY_DIRECTORY)
        && seen.observers().stream()
            .anyMatch(
                observer ->
                    observer.id() == voter.id()
                        && !observer.directory().equals(QuorumReading.ANY_DIRECTORY)
                        && !observer.directory().equals(voter.directory()));
  }
}
