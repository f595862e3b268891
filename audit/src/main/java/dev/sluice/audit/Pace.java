package dev.sluice.audit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An even rate. What could not be sent in time is left out and not made up for in a burst: what is
 * seen after an event is to be its effect, not that of a burst. One thread waits, any changes it.
 */
final class Pace {

  private volatile int perSecond;
  private long nextNanos = System.nanoTime();

  Pace(int perSecond) {
    this.perSecond = perSecond;
  }

  void change(int other) {
    perSecond = other;
  }

  int perSecond() {
    return perSecond;
  }

  /** Waits until the next record is due. */
  void await() {
    long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long now = System.nanoTime();
    nextNanos = Math.max(nextNanos + period, now - period);
    while (now < nextNanos && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, nextNanos - now);
      now = System.nanoTime();
    }
  }
}
