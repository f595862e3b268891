package dev.sluice.audit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting for what other threads bring about, with a limit. */
final class Patience {

  private static final Duration LOOK = Duration.ofMillis(50);

  private Patience() {}

  /** Whether it came to pass within the limit. */
  static boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= until) {
        return false;
      }
      Thread.sleep(LOOK);
    }
    return true;
  }
}
