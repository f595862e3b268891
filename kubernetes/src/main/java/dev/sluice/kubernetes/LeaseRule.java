package dev.sluice.kubernetes;

import java.time.Duration;

/**
 * Who may take a lease. Clocks of others are not believed: a holder is gone when its lease did not
 * change for its whole duration while we watched.
 *
 * @param holder empty when nobody holds it
 * @param version changes whenever the lease is written
 * @param duration that its holder promised to renew it within
 */
record LeaseRule(String holder, String version, Duration duration) {

  /** What follows from what is seen. */
  enum Verdict {
    /** It is ours, or nobody's, or its holder is gone. */
    FREE,
    /** Its holder may be gone; that shows later. */
    UNDECIDED,
    /** Its holder has renewed it while we watched. */
    HELD
  }

  /**
   * Judges.
   *
   * @param me who wants it
   * @param firstSeen the version that was seen first
   * @param unchanged for how long this version was seen
   */
  Verdict judge(String me, String firstSeen, Duration unchanged) {
    if (holder.isEmpty() || holder.equals(me) || unchanged.compareTo(duration) > 0) {
      return Verdict.FREE;
    }
    return version.equals(firstSeen) ? Verdict.UNDECIDED : Verdict.HELD;
  }
}
