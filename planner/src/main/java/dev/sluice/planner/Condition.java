package dev.sluice.planner;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How one server is. Exactly one at a time, each with the facts that make it so. */
public sealed interface Condition {

  /** One clause, without the server's name, that says how it is and why. */
  String sentence();

  /** A short name for tables. */
  default String name() {
    return getClass().getSimpleName();
  }

  /** Whether its replicas and its vote count in sums about what is left when others go. */
  default boolean counts() {
    return switch (this) {
      case Steady _, CatchingUp _ -> true;
      case Unknown _, NotRunning _, Starting _, Recovering _, NotReady _ -> false;
    };
  }

  /** Could not be observed. Never a reason to restart. */
  record Unknown(String why) implements Condition {
    @Override
    public String sentence() {
      return "unknown: " + why;
    }
  }

  /** Does not run, and nothing says that it is about to. */
  record NotRunning(String why, Instant since) implements Condition {
    @Override
    public String sentence() {
      return "not running since " + since + ": " + why;
    }
  }

  /** On its way up, within its grace. */
  record Starting(Instant since) implements Condition {
    @Override
    public String sentence() {
      return "starting since " + since;
    }
  }

  /**
   * Replays its logs after an unclean stop.
   *
   * @param stalledFor how long no progress was seen, when that is longer than it should be
   */
  record Recovering(int logs, int segments, Optional<Duration> stalledFor) implements Condition {
    @Override
    public String sentence() {
      return "recovering: %d logs and %d segments left%s"
          .formatted(
              logs,
              segments,
              stalledFor.map(d -> ", stalled: no progress for " + Said.duration(d)).orElse(""));
    }
  }

  /** Runs, past its grace, does not serve, and positively does not recover. */
  record NotReady(String why, Instant since) implements Condition {
    @Override
    public String sentence() {
      return "not ready, and not recovering: " + why + " (started " + since + ")";
    }
  }

  /**
   * Ready, and not yet back where it was.
   *
   * @param fenced by the controllers
   * @param lacking in-sync sets that it was in before and is not in now; {@link #LACKING_UNKNOWN}
   *     when the partitions could not be read
   * @param settledSince since when all of that is well, when only the hold is left
   */
  record CatchingUp(boolean fenced, int lacking, Optional<Instant> settledSince)
      implements Condition {

    /** The partitions could not be read. */
    public static final int LACKING_UNKNOWN = -1;

    @Override
    public String sentence() {
      if (fenced) {
        return "catching up: still fenced";
      }
      if (lacking == LACKING_UNKNOWN) {
        return "catching up: its partitions are not known";
      }
      return settledSince
          .map(since -> "catching up: all well since " + since + ", being watched")
          .orElse(
              "catching up: not yet back in the in-sync sets of "
                  + Said.count(lacking, "partition"));
    }
  }

  /** Serves, and has done so for long enough. */
  record Steady() implements Condition {
    @Override
    public String sentence() {
      return "steady";
    }
  }
}
