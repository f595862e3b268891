package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Where the brokers behind a virtual cluster listen, learnt from the metadata that passes by. Safe
 * for use from every thread. Holds at most one address for each node that a gateway presents.
 */
final class Brokers {

  private final List<Endpoint> bootstrapServers;
  private final IntPredicate presented;
  private final Map<Integer, Endpoint> known = new ConcurrentHashMap<>();

  /**
   * @param bootstrapServers in order of preference, not empty
   * @param presented whether some gateway presents a node
   */
  Brokers(List<Endpoint> bootstrapServers, IntPredicate presented) {
    this.bootstrapServers = List.copyOf(bootstrapServers);
    this.presented = presented;
  }

  /** A broker said, or another said of it, where it listens. */
  void seen(int node, String host, int port) {
    if (!presented.test(node)) {
      return;
    }
    var before = known.get(node);
    if (before == null || before.port() != port || !before.host().equals(host)) {
      known.put(node, new Endpoint(host, port));
    }
  }

  /** In order of preference; not empty. */
  List<Endpoint> bootstrapServers() {
    return bootstrapServers;
  }

  /** Whether a connection for this node can go where it should. */
  boolean knows(OptionalInt node) {
    return node.isEmpty() || known.containsKey(node.getAsInt());
  }

  /**
   * Where to try to connect, in order. For a node that is not known (its cluster wants
   * authentication before it tells, say) the bootstrap servers: any broker authenticates a client,
   * describes the cluster, and refuses in Kafka's own words what it does not lead.
   */
  List<Endpoint> candidates(OptionalInt node) {
    if (node.isPresent()) {
      var endpoint = known.get(node.getAsInt());
      if (endpoint != null) {
        return List.of(endpoint);
      }
    }
    return bootstrapServers;
  }
}
