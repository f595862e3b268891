package dev.sluice.audit.ledger;

import java.util.EnumMap;
import java.util.Map;

/** Counts by measure and window. Not for several threads at once: the books that hold it lock. */
final class Tally {

  private final Map<Window, Map<Measure, Long>> counts = new EnumMap<>(Window.class);

  void add(Measure measure, Window window) {
    counts.computeIfAbsent(window, _ -> new EnumMap<>(Measure.class)).merge(measure, 1L, Long::sum);
  }

  long count(Measure measure, Window window) {
    return counts.getOrDefault(window, Map.of()).getOrDefault(measure, 0L);
  }
}
