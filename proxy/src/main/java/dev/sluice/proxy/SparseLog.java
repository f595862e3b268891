package dev.sluice.proxy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Keeps lines about what clients can bring about as often as they like from filling the log: of
 * each kind one is written per interval, and the number of those that were left out is told with
 * the next one, or when the interval is over. Safe for use from every thread.
 *
 * @param <K> the kinds of lines; there is a bound on them, so there is one on what is written
 */
final class SparseLog<K extends Enum<K>> {

  private final long intervalNanos;
  private final LongSupplier nanos;
  private final Map<K, Kind> kinds;

  /** What is known of one kind of line. Guarded by itself. */
  private static final class Kind {
    private boolean everTold;
    private long toldAt;
    private long leftOut;

    private boolean isDue(long now, long intervalNanos) {
      return !everTold || now - toldAt >= intervalNanos;
    }

    private long tellNow(long now) {
      long before = leftOut;
      everTold = true;
      toldAt = now;
      leftOut = 0;
      return before;
    }
  }

  /**
   * @param kinds all that there are
   * @param interval between two lines of one kind
   * @param nanos a clock as {@link System#nanoTime} is one
   */
  SparseLog(Class<K> kinds, Duration interval, LongSupplier nanos) {
    this.intervalNanos = interval.toNanos();
    this.nanos = nanos;
    this.kinds = new EnumMap<>(kinds);
    for (var kind : kinds.getEnumConstants()) {
      this.kinds.put(kind, new Kind());
    }
  }

  /**
   * Asks whether a line may be written now; the answer counts as if it was.
   *
   * @return how many of its kind were left out before it; empty where it is to be left out, too
   */
  OptionalLong turn(K of) {
    var kind = Objects.requireNonNull(kinds.get(of));
    synchronized (kind) {
      long now = nanos.getAsLong(); // Within: it must not be before what another thread has told.
      if (kind.isDue(now, intervalNanos)) {
        return OptionalLong.of(kind.tellNow(now));
      }
      kind.leftOut++;
      return OptionalLong.empty();
    }
  }

  /** Hands over what was left out, and would be told by no further line: its interval is over. */
  void tellLeftOut(ObjLongConsumer<K> line) {
    kinds.forEach(
        (name, kind) -> {
          long count = 0;
          synchronized (kind) {
            long now = nanos.getAsLong();
            if (kind.leftOut > 0 && kind.isDue(now, intervalNanos)) {
              count = kind.tellNow(now);
            }
          }
          if (count > 0) {
            line.accept(name, count);
          }
        });
  }

  /** Says with a line how many were left out before it, if any were. */
  static LoggingEventBuilder after(long leftOut, LoggingEventBuilder line) {
    return leftOut == 0 ? line : line.addKeyValue("leftOut", leftOut);
  }
}
