package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.tls.TlsSpec;
import java.util.List;
import java.util.Optional;

/**
 * Where clients reach a virtual cluster, and how it tells its nodes apart.
 *
 * @param name unique within its virtual cluster
 * @param bindAddress a local address to listen on; empty: all of them
 * @param bootstrapAddress what clients are configured with; its port is listened on
 * @param nodes what stands for which node
 * @param advertisedBrokerAddressPattern the host told to clients for a node; {@code $(nodeId)} in
 *     it is replaced
 * @param tls how clients are spoken with; empty: in plain text
 * @param proxyProtocol whether who connects says for whom
 */
public record GatewaySpec(
    String name,
    Optional<String> bindAddress,
    Endpoint bootstrapAddress,
    Nodes nodes,
    String advertisedBrokerAddressPattern,
    Optional<TlsSpec> tls,
    ProxyProtocol proxyProtocol) {

  /** In plain text; the port identifies the node. */
  public GatewaySpec(
      String name,
      Optional<String> bindAddress,
      Endpoint bootstrapAddress,
      int nodeStartPort,
      List<NodeIdRange> nodeIdRanges,
      String advertisedBrokerAddressPattern) {
    this(
        name,
        bindAddress,
        bootstrapAddress,
        new Nodes.ByPort(nodeStartPort, nodeIdRanges),
        advertisedBrokerAddressPattern,
        Optional.empty(),
        ProxyProtocol.DISABLED);
  }

  /** What stands for which node. */
  public sealed interface Nodes {

    /**
     * One port to bootstrap from and one for each node: the nodes of all ranges, in order, stand on
     * consecutive ports.
     *
     * @param startPort the port of the first node
     * @param ranges the node ids that the gateway can present
     */
    record ByPort(int startPort, List<NodeIdRange> ranges) implements Nodes {
      public ByPort {
        ranges = List.copyOf(ranges);
      }
    }

    /**
     * The host name that a client asks for in its TLS handshake; the port of the bootstrap address
     * is that of all nodes, and may be shared by several gateways.
     *
     * @param advertisedPort the port told to clients; another one where something in between maps
     *     ports
     */
    record ByHostName(int advertisedPort) implements Nodes {}
  }

  /** Whether connections begin with a header of the PROXY protocol. */
  public enum ProxyProtocol {
    /** A header is no Kafka request. */
    DISABLED,
    /** With or without. */
    ALLOWED,
    /** Who sends none is not served. */
    REQUIRED
  }

  /**
   * A range of node ids, both ends included.
   *
   * @param name unique within its gateway
   * @param start the first id, from 0
   * @param end the last id, at least {@code start}
   */
  public record NodeIdRange(String name, int start, int end) {}

  /** The port of the first node; of a gateway that goes by host names, of all. */
  public int nodeStartPort() {
    return nodes instanceof Nodes.ByPort(int startPort, _) ? startPort : bootstrapAddress.port();
  }

  /** The node ids that it can present; of a gateway that goes by host names none: it can all. */
  public List<NodeIdRange> nodeIdRanges() {
    return nodes instanceof Nodes.ByPort(_, var ranges) ? ranges : List.of();
  }

  /** The same, spoken with in another way. */
  public GatewaySpec withTls(Optional<TlsSpec> other) {
    return new GatewaySpec(
        name,
        bindAddress,
        bootstrapAddress,
        nodes,
        advertisedBrokerAddressPattern,
        other,
        proxyProtocol);
  }
}
