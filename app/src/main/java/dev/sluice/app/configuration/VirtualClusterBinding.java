package dev.sluice.app.configuration;

import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From {@code virtualClusters} to their records. */
final class VirtualClusterBinding {

  private static final long MAX_FRAME_SIZE = Integer.MAX_VALUE;

  private final TargetBinding targets;
  private final NetworkSpec network;
  private final PortClaims ports;
  private final FilterBinding filters;
  private final TlsBinding tls;

  VirtualClusterBinding(
      TargetBinding targets,
      NetworkSpec network,
      PortClaims ports,
      FilterBinding filters,
      TlsBinding tls) {
    this.tls = tls;
    this.targets = targets;
    this.network = network;
    this.ports = ports;
    this.filters = filters;
  }

  List<VirtualClusterSpec> bind(Entry root) {
    var names = new UniqueNames("virtual cluster", true);
    var specs = new ArrayList<VirtualClusterSpec>();
    for (var entry : root.entries("virtualClusters")) {
      var name = entry.text("name");
      name.ifPresent(n -> names.add(entry, n));
      var spec = bind(entry, name.orElse(entry.path()));
      FilterClashes.report(entry, spec, specs);
      specs.add(spec);
    }
    return specs;
  }

  private VirtualClusterSpec bind(Entry entry, String name) {
    var target = target(entry);
    return new VirtualClusterSpec(
        name,
        new DrainBinding(network).bind(entry),
        target.servers(),
        gateways(entry, name),
        limits(entry.entry("limits")),
        filters.of(entry),
        target.tls());
  }

  private TargetSpec target(Entry entry) {
    return entry.has("target") ? targets.referred(entry.entry("target")) : targets.inPlace(entry);
  }

  private List<GatewaySpec> gateways(Entry entry, String cluster) {
    var names = new UniqueNames("gateway of this virtual cluster", false);
    var gateways = new ArrayList<GatewaySpec>();
    for (var gateway : entry.entries("gateways")) {
      gateway.text("name").ifPresent(name -> names.add(gateway, name));
      new GatewayBinding(gateway, cluster, ports, tls).bind().ifPresent(gateways::add);
    }
    return gateways;
  }

  private static LimitsSpec limits(Entry entry) {
    return new LimitsSpec(
        maxFrameSize(entry).orElse(LimitsSpec.DEFAULT_MAX_FRAME_SIZE),
        entry.integer("maxConnections").orElse(LimitsSpec.DEFAULT_MAX_CONNECTIONS),
        entry.integer("maxInFlight").orElse(LimitsSpec.DEFAULT_MAX_IN_FLIGHT));
  }

  private static Optional<Integer> maxFrameSize(Entry entry) {
    var size = entry.size("maxFrameSize");
    if (size.isPresent() && size.get() > MAX_FRAME_SIZE) {
      entry.error(
          "maxFrameSize",
          "expected at most " + MAX_FRAME_SIZE + " bytes, found " + entry.shown("maxFrameSize"));
      return Optional.empty();
    }
    return size.map(Long::intValue);
  }
}
