package dev.sluice.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/**
 * A clock that moves only from one thing to the next. Things of the same instant happen in the
 * order in which they were asked for.
 */
public final class VirtualTime {

  /** The most that may wait at once: more is a world that floods itself. */
  public static final int MAX_WAITING = 100_000;

  private record Due(Instant at, long order, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Due> waiting = new PriorityQueue<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long asked;

  public Instant now() {
    return now;
  }

  /** Asks for something at a time; one in the past happens now, after what is due already. */
  public void at(Instant when, Runnable what) {
    if (waiting.size() == MAX_WAITING) {
      throw new IllegalStateException(
          "expected at most " + MAX_WAITING + " things to wait; the world floods itself");
    }
    waiting.add(new Due(when.isBefore(now) ? now : when, asked++, what));
  }

  /** Asks for something after a while. */
  public void after(Duration delay, Runnable what) {
    at(now.plus(delay), what);
  }

  /** Runs what is due until a time, which it then is. */
  public void runUntil(Instant end) {
    while (runNext(end)) {
      // Each may have asked for more.
    }
    now = end;
  }

  /** Runs one thing that is due until a time, if there is any; says whether there was. */
  public boolean runNext(Instant end) {
    var next = waiting.peek();
    if (next == null || next.at().isAfter(end)) {
      return false;
    }
    waiting.remove();
    now = next.at();
    next.what().run();
    return true;
  }
}
