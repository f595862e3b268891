package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.tls.TlsSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One configuration of a virtual cluster.
 *
 * @param name its identity: a DNS label, unique ignoring case
 * @param drain how long a drain may take, and how it goes on
 * @param bootstrapServers of the Kafka cluster behind it, in order of preference; at least one
 * @param gateways where clients reach it; at least one
 * @param limits bounds on what clients may ask for
 * @param filters that requests pass, in this order
 * @param upstreamTls how brokers are spoken with; empty: in plain text
 */
public record VirtualClusterSpec(
    String name,
    DrainSpec drain,
    List<Endpoint> bootstrapServers,
    List<GatewaySpec> gateways,
    LimitsSpec limits,
    List<FilterSpec> filters,
    Optional<TlsSpec> upstreamTls) {

  /** With brokers that are spoken with in plain text. */
  public VirtualClusterSpec(
      String name,
      DrainSpec drain,
      List<Endpoint> bootstrapServers,
      List<GatewaySpec> gateways,
      LimitsSpec limits,
      List<FilterSpec> filters) {
    this(name, drain, bootstrapServers, gateways, limits, filters, Optional.empty());
  }

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
    return new VirtualClusterSpec(
        name, drain, bootstrapServers, gateways, limits, others, upstreamTls);
  }

  /** The same, reached at other gateways. */
  public VirtualClusterSpec withGateways(List<GatewaySpec> others) {
    return new VirtualClusterSpec(
        name, drain, bootstrapServers, others, limits, filters, upstreamTls);
  }

  /** The same with other limits. */
  public VirtualClusterSpec withLimits(LimitsSpec others) {
    return new VirtualClusterSpec(
        name, drain, bootstrapServers, gateways, others, filters, upstreamTls);
  }

  /** The same, with its brokers at these addresses, spoken with like this. */
  public VirtualClusterSpec withUpstream(List<Endpoint> servers, Optional<TlsSpec> tls) {
    return new VirtualClusterSpec(name, drain, servers, gateways, limits, filters, tls);
  }

  /** The longest that a drain takes. */
  public Duration drainTimeout() {
    return drain.timeout();
  }
}
