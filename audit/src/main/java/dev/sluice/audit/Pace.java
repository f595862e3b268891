package dev.sluice.audit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An even rate. What could not be sent in time is left out and not made up for in a burst: what is
 * seen after an event is to be its effect, not that of a burst.
 */
final class Pace {

  private final long periodNanos;
  private long nextNanos;

  Pace(int perSecond) {
    periodNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    nextNanos = System.nanoTime();
  }

  /** Waits until the next record is due. */
  void await() {
    long now = System.nanoTime();
    nextNanos = Math.max(nextNanos + periodNanos, now - periodNanos);
    while (now < nextNanos && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, nextNanos - now);
      now = System.nanoTime();
    }
  }
}
