package dev.sluice.proxy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The brokers that some gateway has no address for. Its clients are not told of them and wait for
 * their partitions without an error, so that somebody has to say so. Safe for use from every
 * thread.
 */
final class NodesLeftOut {

  /** Nodes that are told at most; who leaves out more has seen enough of it. */
  static final int MOST_TOLD = 20;

  private final List<NodePorts> gateways;
  private final Set<Integer> told = ConcurrentHashMap.newKeySet();

  NodesLeftOut(List<NodePorts> gateways) {
    this.gateways = List.copyOf(gateways);
  }

  /** Those that were told. */
  SortedSet<Integer> seen() {
    return new TreeSet<>(told);
  }

  /** What to tell of a broker that was seen: a sentence, once for each that is left out. */
  Optional<String> complaint(int node) {
    var without = gateways.stream().filter(gateway -> gateway.advertised(node) == null).toList();
    if (without.isEmpty() || told.size() >= MOST_TOLD || !told.add(node)) {
      return Optional.empty();
    }
    return Optional.of(
        "Clients wait in vain for what broker "
            + node
            + " leads: expected its id within nodeIdRanges, found it in none of "
            + Listed.of(without)
            + "; take it in");
  }
}
