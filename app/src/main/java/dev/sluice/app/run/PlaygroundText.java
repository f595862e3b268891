package dev.sluice.app.run;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.proxy.VirtualClusterSpec;
import java.util.stream.Collectors;

/** The configuration of a {@link Playground} as a person would write it into a file. */
public final class PlaygroundText {

  private PlaygroundText() {}

  /**
   * Writes what a playground sets, and of each virtual cluster how long it drains and how many
   * connections it takes; all else is what holds where a configuration says nothing.
   */
  public static String of(Configuration configuration) {
    return """
        management: { port: %d }
        proxy: { onVirtualClusterFailure: { serve: remaining } }
        virtualClusters:
        %s"""
        .formatted(
            configuration.management().port(),
            configuration.proxy().virtualClusters().stream()
                .map(PlaygroundText::of)
                .collect(Collectors.joining()));
  }

  private static String of(VirtualClusterSpec cluster) {
    var gateway = cluster.gateways().getFirst();
    var range = gateway.nodeIdRanges().getFirst();
    return """
          - name: %s
            drainTimeout: %ds
            limits: { maxConnections: %d }
            targetCluster: { bootstrapServers: "%s" }
            gateways:
              - name: %s
                portIdentifiesNode:
                  bootstrapAddress: "%s"
                  bindAddress: %s
                  nodeIdRanges: [ { name: %s, start: %d, end: %d } ]
        """
        .formatted(
            cluster.name(),
            cluster.drainTimeout().toSeconds(),
            cluster.limits().maxConnections(),
            cluster.bootstrapServers().stream()
                .map(Object::toString)
                .collect(Collectors.joining(",")),
            gateway.name(),
            gateway.bootstrapAddress(),
            gateway.bindAddress().orElseThrow(),
            range.name(),
            range.start(),
            range.end());
  }
}
