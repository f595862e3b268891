package dev.sluice.planner.configuration;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration that a server has.
 *
 * @param entries by key, as Kafka describes them
 * @param broker whether it actually runs as a broker
 * @param controller whether it actually runs as a controller
 */
public record Actual(SortedMap<String, ActualEntry> entries, boolean broker, boolean controller) {

  public Actual {
    entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    if (!broker && !controller) {
      throw new IllegalArgumentException("expected a broker or a controller, found neither");
    }
  }

  public static Actual of(Map<String, ActualEntry> entries, boolean broker, boolean controller) {
    return new Actual(new TreeMap<>(entries), broker, controller);
  }
}
