package dev.sluice.app.configuration;

import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From an entry of {@code gateways} to its record. */
final class GatewayBinding {

  private static final int LAST_PORT = 65_535;
  private static final List<NodeIdRange> DEFAULT_RANGES = List.of(new NodeIdRange("default", 0, 2));

  private GatewayBinding() {}

  /**
   * Empty if it has no address to listen on, which has been told.
   *
   * @param owner of the gateway, for messages
   * @param ports claimed so far
   */
  static Optional<GatewaySpec> bind(Entry gateway, String owner, PortClaims ports) {
    var entry = gateway.entry("portIdentifiesNode");
    var name = gateway.text("name");
    var bootstrap = entry.endpoint("bootstrapAddress");
    if (bootstrap.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    var ranges = entry.has("nodeIdRanges") ? ranges(entry) : DEFAULT_RANGES;
    var spec =
        new GatewaySpec(
            name.get(),
            entry.text("bindAddress"),
            bootstrap.get(),
            entry.integer("nodeStartPort").orElse(bootstrap.get().port() + 1),
            ranges,
            entry.text("advertisedBrokerAddressPattern").orElse(bootstrap.get().host()));
    claim(entry, spec, owner + ", gateway " + name.get(), ports);
    return Optional.of(spec);
  }

  private static void claim(Entry entry, GatewaySpec spec, String owner, PortClaims ports) {
    var bind = spec.bindAddress();
    var key = entry.has("nodeStartPort") ? "nodeStartPort" : "bootstrapAddress";
    ports.claim(
        entry.path("bootstrapAddress"),
        bind,
        spec.bootstrapAddress().port(),
        owner + " (bootstrap)");
    var nodes = spec.nodeIdRanges().stream().mapToLong(r -> r.end() - (long) r.start() + 1).sum();
    var last = spec.nodeStartPort() + nodes - 1;
    if (last > LAST_PORT) {
      entry.error(
          key,
          "expected the ports of all "
              + nodes
              + " nodes to be at most "
              + LAST_PORT
              + ", found that they need "
              + spec.nodeStartPort()
              + " to "
              + last);
      return;
    }
    var port = spec.nodeStartPort();
    for (var range : spec.nodeIdRanges()) {
      for (int node = range.start(); node <= range.end(); node++) {
        ports.claim(entry.path(key), bind, port++, owner + " (node " + node + ")");
      }
    }
  }

  private static List<NodeIdRange> ranges(Entry entry) {
    var ranges = new ArrayList<NodeIdRange>();
    var names = new UniqueNames("range", false);
    for (var item : entry.entries("nodeIdRanges")) {
      var name = item.text("name");
      name.ifPresent(n -> names.add(item, n));
      var start = item.integer("start");
      var end = item.integer("end");
      if (start.isEmpty() || end.isEmpty()) {
        continue;
      }
      if (end.get() < start.get()) {
        item.error(
            "end", "expected at least start, which is " + start.get() + ", found " + end.get());
        continue;
      }
      var range = new NodeIdRange(name.orElse("default"), start.get(), end.get());
      ranges.stream()
          .filter(other -> range.start() <= other.end() && other.start() <= range.end())
          .findFirst()
          .ifPresent(other -> item.error("start", overlap(range, other)));
      ranges.add(range);
    }
    return ranges;
  }

  private static String overlap(NodeIdRange range, NodeIdRange other) {
    return "expected ranges without a node id in common, found "
        + shown(range)
        + " and "
        + shown(other);
  }

  private static String shown(NodeIdRange range) {
    return range.name() + " (" + range.start() + " to " + range.end() + ")";
  }
}
