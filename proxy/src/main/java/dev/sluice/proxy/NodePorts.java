package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec.Nodes;
import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which port or host name of a gateway stands for which node. Follows from the configuration alone,
 * so that a client that comes back to a node's address after a restart finds it, before any
 * metadata was seen.
 */
final class NodePorts {

  private final GatewaySpec spec;
  private final SequencedMap<Integer, Endpoint> byPort = new LinkedHashMap<>();
  private final Optional<HostNames> hostNames;

  NodePorts(GatewaySpec spec) {
    this.spec = spec;
    this.hostNames =
        spec.nodes() instanceof Nodes.ByHostName
            ? Optional.of(HostNames.of(spec))
            : Optional.empty();
    int port = spec.nodeStartPort();
    for (var range : spec.nodeIdRanges()) {
      for (int node = range.start(); node <= range.end(); node++) {
        var host =
            spec.advertisedBrokerAddressPattern()
                .replace(HostNames.NODE_ID, Integer.toString(node));
        byPort.put(node, new Endpoint(host, port++));
      }
    }
  }

  /** What clients are told of a node; null where the ranges leave it out. */
  @Nullable Endpoint advertised(int node) {
    return spec.nodes() instanceof Nodes.ByHostName(int port) && node >= 0
        ? new Endpoint(hostNames.orElseThrow().of(node), port)
        : byPort.get(node);
  }

  /** Each port to listen on, with the node that it stands for; empty is the bootstrap port. */
  SequencedMap<Integer, OptionalInt> ports() {
    var ports = new LinkedHashMap<Integer, OptionalInt>();
    ports.put(spec.bootstrapAddress().port(), OptionalInt.empty());
    for (Map.Entry<Integer, Endpoint> node : byPort.entrySet()) {
      ports.put(node.getValue().port(), OptionalInt.of(node.getKey()));
    }
    return ports;
  }

  /** The names that clients ask for here; empty: it does not go by host names. */
  Optional<HostNames> hostNames() {
    return hostNames;
  }

  ProxyProtocol proxyProtocol() {
    return spec.proxyProtocol();
  }

  /** The local address to listen on; empty: all of them. */
  Optional<String> bindAddress() {
    return spec.bindAddress();
  }

  /** Unique within its virtual cluster. */
  String name() {
    return spec.name();
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
