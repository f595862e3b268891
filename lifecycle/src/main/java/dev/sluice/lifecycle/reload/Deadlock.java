package dev.sluice.lifecycle.reload;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Clusters that wait for each other: each needs a port that another one gives up only when it has
 * got its own. Whoever answers at such a port would have to be two at once, since clients of the
 * one still know it when those of the other come.
 */
final class Deadlock {

  private Deadlock() {}

  /** What it is, as a sentence; empty where there is none. */
  static Optional<String> among(Map<String, ClusterChange> changes) {
    var waiting = new TreeMap<String, Set<String>>();
    changes.forEach((name, change) -> waiting.put(name, new TreeSet<>(change.waitsFor())));
    while (waiting.values().removeIf(Set::isEmpty)) {
      waiting.values().forEach(others -> others.retainAll(waiting.keySet()));
    }
    while (waiting.keySet().removeIf(name -> isWaitedForByNone(name, waiting))) {
      // Who only waits for those in it is not in it.
    }
    return waiting.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Expected ports that become free one after the other, found that "
                + String.join(", ", waiting.keySet())
                + " exchange theirs; move one to ports that nobody has first, and the others after"
                + " that.");
  }

  private static boolean isWaitedForByNone(String name, Map<String, Set<String>> waiting) {
    return waiting.values().stream().noneMatch(others -> others.contains(name));
  }
}
