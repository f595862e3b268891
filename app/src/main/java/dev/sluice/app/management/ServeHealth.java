package dev.sluice.app.management;

import dev.sluice.planner.Plan;
import dev.sluice.roller.Look;
import dev.sluice.roller.RollListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * How a roller that serves is, for those who watch over it. Written by its thread; any thread may
 * ask.
 */
public final class ServeHealth implements RollListener {

  /** Whoever has not said anything for so long hangs: no look and no wait lasts that long. */
  public static final Duration SILENCE_MAX = Duration.ofMinutes(3);

  private final Clock clock;
  private volatile Said said;

  public ServeHealth(Clock clock) {
    this.clock = clock;
    this.said = new Said(clock.instant(), false, false, "starts");
  }

  /**
   * What was said last.
   *
   * @param acts whether it holds the lease
   * @param well whether the last look or wait succeeded
   */
  public record Said(Instant at, boolean acts, boolean well, String what) {}

  public Said said() {
    return said;
  }

  /** Whether its thread goes on. */
  public boolean alive() {
    return Duration.between(said.at(), clock.instant()).compareTo(SILENCE_MAX) < 0;
  }

  /** Another one acts. */
  public void standsBy(String what) {
    said = new Said(clock.instant(), false, true, what);
  }

  /** It holds the lease. */
  public void acts(String what) {
    said = new Said(clock.instant(), true, true, what);
  }

  /** A look or a roll failed. */
  public void failed(String what) {
    said = new Said(clock.instant(), said.acts(), false, what);
  }

  @Override
  public void decided(Look look, Plan plan) {
    acts(plan.sentence());
  }
}
