package dev.sluice.simulation.roll;

import dev.sluice.simulation.InvariantBroken;
import java.util.function.Supplier;

/** What must hold after every event, whatever went wrong. */
public enum Invariant {
  /** No action takes a constraining partition below its minimum and margin. */
  PARTITIONS_KEEP_THEIR_MINIMUM,
  /** No action stops who may be the last to lead a partition below its minimum. */
  ELIGIBLE_LEADERS_STAY,
  /** No action leaves the quorum without a majority of caught-up voters. */
  THE_QUORUM_KEEPS_ITS_MAJORITY,
  /** Never two controllers restarted at a time. */
  ONE_CONTROLLER_AT_A_TIME,
  /** Nobody is restarted who replays its logs. */
  RECOVERIES_ARE_LEFT_IN_PEACE,
  /** Nobody is restarted of whom nothing is known. */
  THE_UNKNOWN_IS_LEFT_ALONE,
  /** No second server is touched before the first is back. */
  THE_FIRST_THAT_STAYS_AWAY_IS_THE_LAST,
  /** No restart for a reason that a restart did not take away. */
  NO_LOOPS,
  /** Every restart has a reason that is true. */
  EVERY_REASON_IS_TRUE,
  /** When faults stop, the roll ends, and everything runs as desired. */
  EVERYTHING_SETTLES;

  InvariantBroken broken(String found) {
    return new InvariantBroken(name(), found);
  }

  void require(boolean holds, Supplier<String> found) {
    if (!holds) {
      throw broken(found.get());
    }
  }
}
