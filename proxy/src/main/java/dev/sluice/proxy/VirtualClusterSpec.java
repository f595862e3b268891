package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.time.Duration;
import java.util.List;

/**
 * One configuration of a virtual cluster.
 *
 * @param name its identity: a DNS label, unique ignoring case
 * @param drainTimeout the longest that a drain takes; zero cuts at once
 * @param bootstrapServers of the Kafka cluster behind it, in order of preference; at least one
 * @param gateways where clients reach it; at least one
 * @param limits bounds on what clients may ask for
 */
public record VirtualClusterSpec(
    String name,
    Duration drainTimeout,
    List<Endpoint> bootstrapServers,
    List<GatewaySpec> gateways,
    LimitsSpec limits) {

  public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(10);

  public VirtualClusterSpec {
    bootstrapServers = List.copyOf(bootstrapServers);
    gateways = List.copyOf(gateways);
  }
}
