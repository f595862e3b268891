package dev.sluice.planner;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How one partition stands, when it forbids something.
 *
 * @param replicas the servers that hold it
 * @param inSync its in-sync set, by Kafka's account
 * @param minimum its {@code min.insync.replicas}
 * @param margin in-sync replicas wanted on top
 * @param missing replicas that do not count, each with the reason
 */
public record PartitionStanding(
    String topic,
    int number,
    List<Integer> replicas,
    List<Integer> inSync,
    int minimum,
    int margin,
    SortedMap<Integer, String> missing) {

  public PartitionStanding {
    replicas = List.copyOf(replicas);
    inSync = List.copyOf(inSync);
    missing = Collections.unmodifiableSortedMap(new TreeMap<>(missing));
  }

  /** Names the partition, its in-sync set and who is missing. */
  public String sentence() {
    return "%s-%d (in sync %s of %s, minimum %d%s%s)"
        .formatted(
            topic,
            number,
            Said.set(inSync),
            Said.set(replicas),
            minimum,
            margin == 0 ? "" : " and a margin of " + margin,
            missing.isEmpty() ? "" : "; missing: " + said(missing));
  }

  private static String said(Map<Integer, String> missing) {
    return missing.entrySet().stream()
        .map(each -> each.getKey() + ", " + each.getValue())
        .collect(Collectors.joining("; "));
  }
}
