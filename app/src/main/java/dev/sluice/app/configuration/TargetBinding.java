package dev.sluice.app.configuration;

import dev.sluice.protocol.Endpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The Kafka clusters behind virtual clusters: defined by name, or in place. */
final class TargetBinding {

  private final Map<String, TargetSpec> defined = new LinkedHashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> used = new HashSet<>();

  private final TlsBinding tls;

  TargetBinding(Entry root, TlsBinding tls) {
    this.tls = tls;
    var names = new UniqueNames("cluster definition", false);
    for (var entry : root.entries("clusterDefinitions")) {
      entry
          .text("name")
          .ifPresent(
              name -> {
                names.add(entry, name);
                entries.put(name, entry);
                defined.put(name, target(entry));
              });
    }
  }

  /** The definition that {@code target} names. */
  TargetSpec referred(Entry target) {
    return target.text("cluster").map(name -> referred(target, name)).orElse(TargetSpec.NONE);
  }

  private TargetSpec referred(Entry target, String name) {
    used.add(name);
    if (!defined.containsKey(name)) {
      var known = defined.keySet();
      var advice =
          Nearest.to(name, known)
              .map(near -> "; did you mean '" + near + "'?")
              .orElse(
                  known.isEmpty() ? "; there are none" : "; there are " + String.join(", ", known));
      target.error(
          "cluster",
          "expected the name of one of clusterDefinitions, found "
              + target.shown("cluster")
              + advice);
    }
    return defined.getOrDefault(name, TargetSpec.NONE);
  }

  /** What {@code targetCluster} says. */
  TargetSpec inPlace(Entry virtualCluster) {
    return target(virtualCluster.entry("targetCluster"));
  }

  private TargetSpec target(Entry entry) {
    return new TargetSpec(servers(entry), tls.bind(entry));
  }

  /** Once all references are known. */
  void warnOfUnused() {
    entries.forEach(
        (name, entry) -> {
          if (!used.contains(name)) {
            entry.warning(
                "name",
                "expected a virtual cluster with target.cluster '" + name + "', found none");
          }
        });
  }

  private static List<Endpoint> servers(Entry entry) {
    var servers = new ArrayList<Endpoint>();
    var text = entry.text("bootstrapServers");
    if (text.isEmpty()) {
      return servers;
    }
    for (var part : text.get().split(",", -1)) {
      Quantities.endpoint(part.strip())
          .ifPresentOrElse(servers::add, () -> bad(entry, part.strip()));
    }
    return servers;
  }

  private static void bad(Entry entry, String part) {
    var shown = entry.shown("bootstrapServers");
    var found = shown.contains("${env:") ? shown : "'" + part + "'";
    entry.error(
        "bootstrapServers",
        "expected HOST:PORT, or several separated by commas, with ports of 1 to 65535, found "
            + found);
  }
}
