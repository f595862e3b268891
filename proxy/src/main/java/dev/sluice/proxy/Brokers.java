package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the brokers behind a virtual cluster listen, learnt from the metadata that passes by. Safe
 * for use from every thread. Holds at most one address for each node that a gateway presents.
 */
final class Brokers {

  private static final Logger LOG = LoggerFactory.getLogger(Brokers.class);

  private final String virtualCluster;
  private final List<Endpoint> bootstrapServers;
  private final List<NodePorts> gateways;
  private final NodesLeftOut leftOut;
  private final Map<Integer, Endpoint> known = new ConcurrentHashMap<>();

  /**
   * @param bootstrapServers in order of preference, not empty
   */
  Brokers(String virtualCluster, List<Endpoint> bootstrapServers, List<NodePorts> gateways) {
    this.virtualCluster = virtualCluster;
    this.bootstrapServers = List.copyOf(bootstrapServers);
    this.gateways = List.copyOf(gateways);
    this.leftOut = new NodesLeftOut(gateways);
  }

  /** A broker said, or another said of it, where it listens. */
  void seen(int node, String host, int port) {
    leftOut
        .complaint(node)
        .ifPresent(
            told -> LOG.atWarn().addKeyValue("virtualCluster", virtualCluster).log("{}", told));
    if (gateways.stream().allMatch(gateway -> gateway.advertised(node) == null)) {
      return;
    }
    var before = known.get(node);
    if (before == null || before.port() != port || !before.host().equals(host)) {
      known.put(node, new Endpoint(host, port));
    }
  }

  /** Those that some gateway has no address for. */
  SortedSet<Integer> leftOut() {
    return leftOut.seen();
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
