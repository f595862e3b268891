package dev.sluice.audit.ledger;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one client was made to notice, by window and kind. For any threads. */
public final class Occurrences {

  /** Different texts that are told one by one; what comes after is counted together. */
  static final int MOST_KINDS = 50;

  private static final int LONGEST_KIND = 240;
  private static final String FURTHER = "further kinds";
  private static final long NEVER = Long.MIN_VALUE;

  private final Tally counts = new Tally();
  private final Map<Window, Page> pages = new EnumMap<>(Window.class);
  private Page lap = new Page();
  private Window now = Window.WARMING;
  private long lastProgress = NEVER;
  private boolean resting;

  /** What comes from now on belongs to this window; a pause belongs to the one in which it ends. */
  public synchronized void enter(Window window) {
    now = window;
  }

  /** Something was noticed. */
  public synchronized void noticed(Measure measure, String kind) {
    counts.add(measure, now);
    var text = measure.shown() + ": " + shortened(kind);
    pageOf(now).add(text);
    lap.add(text);
  }

  /** An error reached the application. */
  public void exception(Throwable thrown) {
    Throwable cause = thrown.getCause();
    noticed(
        Measure.EXCEPTIONS,
        thrown.getClass().getSimpleName()
            + (cause == null ? "" : " (" + cause.getClass().getSimpleName() + ")")
            + ": "
            + thrown.getMessage());
  }

  /** What a callback was given: an error, or none. */
  public void outcome(@Nullable Exception failure) {
    if (failure != null) {
      exception(failure);
    }
  }

  /** An acknowledgement or a record came, at this reading of a steady clock, in ns. */
  public synchronized void progressed(long nanos) {
    if (resting) {
      return;
    }
    if (lastProgress != NEVER) {
      pageOf(now).paused(nanos - lastProgress);
      lap.paused(nanos - lastProgress);
    }
    lastProgress = nanos;
  }

  /** The load ends: the pause that runs, if any, ends here, and none is told after it. */
  public synchronized void rested(long nanos) {
    if (lastProgress != NEVER) {
      progressed(nanos);
    }
    resting = true;
  }

  /** Whether there was any progress. */
  public synchronized boolean hasProgressed() {
    return lastProgress != NEVER;
  }

  public synchronized long count(Measure measure, Window window) {
    return counts.count(measure, window);
  }

  public synchronized Duration longestPause(Window window) {
    return Duration.ofNanos(pageOf(window).longestPause);
  }

  /** What was noticed in a window, in words, with how often. */
  public synchronized SortedMap<String, Long> kinds(Window window) {
    return new TreeMap<>(pageOf(window).kinds);
  }

  /** What was noticed since this was last asked for. */
  public synchronized Lap lap() {
    var told = new Lap(new TreeMap<>(lap.kinds), Duration.ofNanos(lap.longestPause));
    lap = new Page();
    return told;
  }

  private Page pageOf(Window window) {
    return pages.computeIfAbsent(window, _ -> new Page());
  }

  private static String shortened(String kind) {
    String line = kind.strip().lines().findFirst().orElse("");
    return line.length() <= LONGEST_KIND ? line : line.substring(0, LONGEST_KIND) + "...";
  }

  private static final class Page {

    private final Map<String, Long> kinds = new TreeMap<>();
    private long longestPause;

    void add(String text) {
      boolean full = kinds.size() >= MOST_KINDS && !kinds.containsKey(text);
      kinds.merge(full ? FURTHER : text, 1L, Long::sum);
    }

    void paused(long nanos) {
      longestPause = Math.max(longestPause, nanos);
    }
  }
}
