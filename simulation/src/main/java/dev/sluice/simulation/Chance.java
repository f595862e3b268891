package dev.sluice.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Chance that a seed decides. */
public final class Chance {

  private final SplittableRandom random;

  public Chance(long seed) {
    random = new SplittableRandom(seed);
  }

  /** From 0 to below 1. */
  public double next() {
    return random.nextDouble();
  }

  /** Once in so many times. */
  public boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** From {@code least} to {@code most}, both included. */
  public int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /** A whole number of milliseconds, both ends included. */
  public Duration millis(int least, int most) {
    return Duration.ofMillis(between(least, most));
  }

  /** One of these; there is at least one. */
  public <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
