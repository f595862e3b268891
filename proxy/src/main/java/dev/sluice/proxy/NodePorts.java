package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which port of a gateway stands for which node. Follows from the configuration alone, so that a
 * client that comes back to a node's port after a restart finds it, before any metadata was seen.
 */
final class NodePorts {

  private static final String NODE_ID = "$(nodeId)";

  private final GatewaySpec spec;
  private final SequencedMap<Integer, Endpoint> advertised = new LinkedHashMap<>();

  NodePorts(GatewaySpec spec) {
    this.spec = spec;
    int port = spec.nodeStartPort();
    for (var range : spec.nodeIdRanges()) {
      for (int node = range.start(); node <= range.end(); node++) {
        var host = spec.advertisedBrokerAddressPattern().replace(NODE_ID, Integer.toString(node));
        advertised.put(node, new Endpoint(host, port++));
      }
    }
  }

  /** What clients are told of a node; null where the ranges leave it out. */
  @Nullable Endpoint advertised(int node) {
    return advertised.get(node);
  }

  /** Each port to listen on, with the node that it stands for; empty is the bootstrap port. */
  SequencedMap<Integer, OptionalInt> ports() {
    var ports = new LinkedHashMap<Integer, OptionalInt>();
    ports.put(spec.bootstrapAddress().port(), OptionalInt.empty());
    for (Map.Entry<Integer, Endpoint> node : advertised.entrySet()) {
      ports.put(node.getValue().port(), OptionalInt.of(node.getKey()));
    }
    return ports;
  }

  /** The local address to listen on; empty: all of them. */
  Optional<String> bindAddress() {
    return spec.bindAddress();
  }

  /** Whether it is the other's next version. */
  boolean isNamedAs(NodePorts other) {
    return spec.name().equals(other.spec.name());
  }

  @Override
  public String toString() {
    return "gateway " + spec.name();
  }
}
