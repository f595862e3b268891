package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.time.Duration;
import java.util.List;

/**
 * One configuration of a virtual cluster.
 *
 * @param name its identity: a DNS label, unique ignoring case
 * @param drain how long a drain may take, and how it goes on
 * @param bootstrapServers of the Kafka cluster behind it, in order of preference; at least one
 * @param gateways where clients reach it; at least one
 * @param limits bounds on what clients may ask for
 * @param filters that requests pass, in this order
 */
public record VirtualClusterSpec(
    String name,
    DrainSpec drain,
    List<Endpoint> bootstrapServers,
    List<GatewaySpec> gateways,
    LimitsSpec limits,
    List<FilterSpec> filters) {

  /** Without filters. */
  public VirtualClusterSpec(
      String name,
      DrainSpec drain,
      List<Endpoint> bootstrapServers,
      List<GatewaySpec> gateways,
      LimitsSpec limits) {
    this(name, drain, bootstrapServers, gateways, limits, List.of());
  }

  /** With the usual pause and wait of a drain, and without filters. */
  public VirtualClusterSpec(
      String name,
      Duration drainTimeout,
      List<Endpoint> bootstrapServers,
      List<GatewaySpec> gateways,
      LimitsSpec limits) {
    this(name, DrainSpec.within(drainTimeout), bootstrapServers, gateways, limits, List.of());
  }

  public VirtualClusterSpec {
    bootstrapServers = List.copyOf(bootstrapServers);
    gateways = List.copyOf(gateways);
    filters = List.copyOf(filters);
  }

  /** The same with other filters. */
  public VirtualClusterSpec withFilters(List<FilterSpec> others) {
    return new VirtualClusterSpec(name, drain, bootstrapServers, gateways, limits, others);
  }

  /** The longest that a drain takes. */
  public Duration drainTimeout() {
    return drain.timeout();
  }
}
