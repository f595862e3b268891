package dev.sluice.app.configuration;

import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import java.util.ArrayList;
import java.util.List;

/** From {@code nodeIdRanges} to their records. */
final class NodeIdRanges {

  private static final List<NodeIdRange> DEFAULT = List.of(new NodeIdRange("default", 0, 2));

  private NodeIdRanges() {}

  static List<NodeIdRange> of(Entry gateway) {
    return gateway.has("nodeIdRanges") ? ranges(gateway) : DEFAULT;
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
