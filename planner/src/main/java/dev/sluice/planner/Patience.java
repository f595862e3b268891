package dev.sluice.planner;

import java.time.Duration;

/**
 * How long to wait for what. All in real time, none in attempts.
 *
 * @param readingAgeMax the oldest reading to decide on
 * @param startGrace how long a server may take to start before it counts as not running or not
 *     ready
 * @param recoveryStallMax how long a recovery may show no progress before it is reported as stalled
 * @param steadyHold how long all must be well before a server counts as steady
 * @param returnBudget how long a server acted upon may show no progress before the roll halts
 * @param actionGrace how long an action may show no effect before it counts as never begun
 * @param changeSettles how long a change of configuration may take to show
 * @param holdMax how long the roll may be blocked without any change before it halts
 */
public record Patience(
    Duration readingAgeMax,
    Duration startGrace,
    Duration recoveryStallMax,
    Duration steadyHold,
    Duration returnBudget,
    Duration actionGrace,
    Duration changeSettles,
    Duration holdMax) {

  public static final Patience DEFAULT =
      new Patience(
          Duration.ofSeconds(30),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofSeconds(10),
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          Duration.ofSeconds(5),
          Duration.ofMinutes(30));

  public Patience {
    if (steadyHold.isNegative() || !readingAgeMax.isPositive() || !returnBudget.isPositive()) {
      throw new IllegalArgumentException(
          "expected a positive readingAgeMax and returnBudget and a steadyHold of at least 0, found "
              + readingAgeMax
              + ", "
              + returnBudget
              + ", "
              + steadyHold);
    }
  }
}
