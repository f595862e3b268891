package dev.sluice.planner.reading;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The metadata quorum, as its leader or, without one, every controller describes it.
 *
 * @param leader the active controller; empty only when <em>every</em> controller was asked and each
 *     said that there is none
 * @param voters of the quorum itself
 * @param observers that fetch the log and have no vote
 * @param fetchTimeout the quorum's own {@code controller.quorum.fetch.timeout.ms}, positive
 */
public record QuorumReading(
    OptionalInt leader, List<Replica> voters, List<Replica> observers, Duration fetchTimeout) {

  /** Kafka's zero id: a voter of a static quorum, whose directory is not told. */
  public static final UUID ANY_DIRECTORY = new UUID(0, 0);

  /** {@code caughtUpAt} of a replica whose time is not known. */
  public static final long NEVER = -1;

  public QuorumReading {
    Objects.requireNonNull(leader, "leader");
    voters = List.copyOf(voters);
    observers = List.copyOf(observers);
    if (!fetchTimeout.isPositive()) {
      throw new IllegalArgumentException(
          "expected a positive fetch time-out, found " + fetchTimeout);
    }
  }

  /**
   * One replica of the metadata log.
   *
   * @param id of its server
   * @param directory of its log; another directory under the same id is another replica
   * @param caughtUpAt when it last had all that the leader had, in milliseconds of the leader's
   *     clock; {@link #NEVER} when not known
   */
  public record Replica(int id, UUID directory, long caughtUpAt) {
    public Replica {
      Objects.requireNonNull(directory, "directory");
    }
  }
}
