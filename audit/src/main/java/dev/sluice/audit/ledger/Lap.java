package dev.sluice.audit.ledger;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one client noticed in a part of a window: of many events one after the other, of one of
 * them.
 *
 * @param kinds in words that begin with the measure's name and a colon, with how often
 * @param longestPause the longest time between two signs of progress that ended in it
 */
public record Lap(SortedMap<String, Long> kinds, Duration longestPause) {

  public Lap {
    kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
  }

  /** How often this was noticed. */
  public long count(Measure measure) {
    return kinds.tailMap(measure.shown() + ": ").entrySet().stream()
        .takeWhile(kind -> kind.getKey().startsWith(measure.shown() + ": "))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
