package dev.sluice.audit.ledger;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * What one client did and noticed.
 *
 * @param client its name
 * @param role what it does
 * @param windows one page for every window
 */
public record ClientReport(String client, Role role, Map<Window, Page> windows) {

  /** What a client does. */
  public enum Role {
    PRODUCER,
    READER,
    /** Reads one topic and writes what it read into another. */
    COPIER
  }

  /**
   * What happened in one window.
   *
   * @param counts every measure that applies to the client
   * @param longestPause the longest time between two signs of progress
   * @param kinds what was noticed, in words, with how often
   */
  public record Page(
      Map<Measure, Long> counts, Duration longestPause, SortedMap<String, Long> kinds) {}

  /** What a producer wrote, by what the witness saw. */
  public static ClientReport producer(SeenLedger witness, Occurrences occurrences) {
    WrittenLedger written = witness.written();
    var windows = new EnumMap<Window, Page>(Window.class);
    for (Window window : Window.values()) {
      long from = written.firstOf(window);
      long to = written.endOf(window);
      Map<Measure, Long> counts = noticed(occurrences, window);
      counts.put(Measure.SENT, to - from);
      counts.put(Measure.ACKNOWLEDGED, written.acknowledged(window));
      counts.put(Measure.SEEN, witness.seen().count(from, to));
      counts.put(Measure.LOST, written.acknowledged().countWithout(witness.seen(), from, to));
      add(counts, witness, window, true);
      windows.put(window, page(counts, occurrences, window));
    }
    return new ClientReport(written.producer(), Role.PRODUCER, windows);
  }

  /** What a reader saw, by what the witness saw. */
  public static ClientReport reader(
      String client, SeenLedger witness, Reading reading, Occurrences occurrences) {
    WrittenLedger written = witness.written();
    SeenLedger seen = reading.seen();
    var windows = new EnumMap<Window, Page>(Window.class);
    for (Window window : Window.values()) {
      long from = written.firstOf(window);
      long to = written.endOf(window);
      Map<Measure, Long> counts = noticed(occurrences, window);
      counts.put(Measure.SEEN, seen.seen().count(from, to));
      counts.put(Measure.LOST, witness.seen().countWithout(seen.seen(), from, to));
      add(counts, seen, window, reading.ordered());
      windows.put(window, page(counts, occurrences, window));
    }
    return new ClientReport(client, reading.role(), windows);
  }

  /**
   * How a reader reads.
   *
   * @param seen what it saw
   * @param role reader or copier
   * @param ordered whether it was promised records in order (a share group was not)
   */
  public record Reading(SeenLedger seen, Role role, boolean ordered) {}

  /** The count over all windows; 0 for a measure that does not apply. */
  public long total(Measure measure) {
    return windows.values().stream()
        .mapToLong(page -> page.counts().getOrDefault(measure, 0L))
        .sum();
  }

  /** The count of one window; 0 for a measure that does not apply. */
  public long count(Measure measure, Window window) {
    Page page = windows.get(window);
    return page == null ? 0 : page.counts().getOrDefault(measure, 0L);
  }

  public boolean tells(Measure measure) {
    return windows.values().stream().anyMatch(page -> page.counts().containsKey(measure));
  }

  public Duration longestPause(Window window) {
    Page page = windows.get(window);
    return page == null ? Duration.ZERO : page.longestPause();
  }

  private static void add(
      Map<Measure, Long> counts, SeenLedger seen, Window window, boolean ordered) {
    counts.put(Measure.DUPLICATED, seen.faults(Measure.DUPLICATED, window));
    counts.put(Measure.CORRUPTED, seen.faults(Measure.CORRUPTED, window));
    if (ordered) {
      counts.put(Measure.REORDERED, seen.faults(Measure.REORDERED, window));
    }
  }

  private static Map<Measure, Long> noticed(Occurrences occurrences, Window window) {
    var counts = new EnumMap<Measure, Long>(Measure.class);
    for (Measure measure : Measure.values()) {
      if (measure.compareTo(Measure.EXCEPTIONS) >= 0) {
        counts.put(measure, occurrences.count(measure, window));
      }
    }
    return counts;
  }

  private static Page page(Map<Measure, Long> counts, Occurrences occurrences, Window window) {
    return new Page(counts, occurrences.longestPause(window), occurrences.kinds(window));
  }
}
