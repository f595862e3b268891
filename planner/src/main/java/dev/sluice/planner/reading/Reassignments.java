package dev.sluice.planner.reading;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reassignments of partitions under way.
 *
 * @param byServer for every server that one of them touches, the partitions by name; a name or two
 *     suffice, there is no need to list all
 */
public record Reassignments(SortedMap<Integer, String> byServer) {

  public static final Reassignments NONE = new Reassignments(new TreeMap<>());

  public Reassignments {
    byServer = Collections.unmodifiableSortedMap(new TreeMap<>(byServer));
  }

  public static Reassignments of(Map<Integer, String> byServer) {
    return new Reassignments(new TreeMap<>(byServer));
  }
}
