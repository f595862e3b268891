package dev.sluice.app.reload;

import dev.sluice.app.reload.ReloadResult.Ending;
import java.time.Duration;
import java.time.Instant;

/**
 * A reload that somebody has asked for.
 *
 * @param number 0 is the number of what is only planned
 * @param at when, for people
 * @param nanos the same, of {@link System#nanoTime}
 */
record Asking(long number, String askedBy, String source, Instant at, long nanos) {

  boolean onlyPlans() {
    return number == 0;
  }

  /** What has become of it, by now. */
  ReloadResult result(Ending ending) {
    var took = Duration.ofNanos(System.nanoTime() - nanos);
    return new ReloadResult(number, askedBy, source, at, took, ending);
  }
}
