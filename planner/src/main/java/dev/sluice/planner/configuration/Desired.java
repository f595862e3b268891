package dev.sluice.planner.configuration;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The configuration that a server should have.
 *
 * @param values by key
 * @param ignored keys, or prefixes that end in a dot or are a whole key, that never count: they
 *     make a server what it is, or belong to somebody else
 */
public record Desired(SortedMap<String, String> values, Set<String> ignored) {

  /** What makes a server this server, and what the platform gives it. */
  public static final Set<String> IDENTITY =
      Collections.unmodifiableSet(
          new TreeSet<>(
              List.of(
                  "advertised.listeners",
                  "broker.id",
                  "broker.rack",
                  "listeners",
                  "node.id",
                  "process.roles")));

  public Desired {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    ignored = Collections.unmodifiableSet(new TreeSet<>(ignored));
  }

  public static Desired of(Map<String, String> values) {
    return new Desired(new TreeMap<>(values), IDENTITY);
  }

  boolean ignores(String key) {
    return ignored.stream()
        .anyMatch(each -> each.endsWith(".") ? key.startsWith(each) : key.equals(each));
  }

  /** Values may be secrets: only keys are shown. */
  @Override
  public String toString() {
    return "Desired" + values.keySet();
  }
}
