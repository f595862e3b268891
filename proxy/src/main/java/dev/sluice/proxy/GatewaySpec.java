package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.util.List;
import java.util.Optional;

/**
 * A gateway at which the port identifies the node: one port to bootstrap from and one for each
 * node. The nodes of all ranges, in order, stand on consecutive ports from {@code nodeStartPort}.
 *
 * @param name unique within its virtual cluster
 * @param bindAddress a local address to listen on; empty: all of them
 * @param bootstrapAddress what clients are configured with; its port is listened on
 * @param nodeStartPort the port of the first node
 * @param nodeIdRanges the node ids that this gateway can present
 * @param advertisedBrokerAddressPattern the host told to clients for a node; {@code $(nodeId)} in
 *     it is replaced
 */
public record GatewaySpec(
    String name,
    Optional<String> bindAddress,
    Endpoint bootstrapAddress,
    int nodeStartPort,
    List<NodeIdRange> nodeIdRanges,
    String advertisedBrokerAddressPattern) {

  public GatewaySpec {
    nodeIdRanges = List.copyOf(nodeIdRanges);
  }

  /**
   * A range of node ids, both ends included.
   *
   * @param name unique within its gateway
   * @param start the first id, from 0
   * @param end the last id, at least {@code start}
   */
  public record NodeIdRange(String name, int start, int end) {}
}
