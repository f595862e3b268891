package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.run.PlaygroundText;
import dev.sluice.proxy.DrainSpec;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.ProxySpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.time.Duration;
import java.util.Locale;

/** Gives orders another configuration while it serves, by a call as a person would make it. */
final class DemoReload {

  private static final String CLUSTER = "orders";
  private static final DrainSpec DRAIN = DrainSpec.within(Duration.ofSeconds(5));
  private static final LimitsSpec LIMITS =
      new LimitsSpec(LimitsSpec.DEFAULT_MAX_FRAME_SIZE, 1_000, LimitsSpec.DEFAULT_MAX_IN_FLIGHT);

  private DemoReload() {}

  /** Whether it is applied, in place, and every connection stayed. */
  static boolean play(DemoStage stage) throws InterruptedException {
    var before = stage.configuration();
    var next = changed(before);
    tellChange(stage, of(before), of(next));
    stage.tell("$ curl --data-binary @sluice.yaml " + stage.management() + "/api/v1/reload");
    var result = stage.reload(PlaygroundText.of(next));
    ReloadTable.lines(result).forEach(stage::tell);
    var connections = cluster(result).path("connections");
    int present = connections.path("before").asInt();
    int switched = connections.path("switched").asInt();
    int left = connections.path("client-left").asInt();
    boolean asExpected =
        result.path("outcome").asText().equals("applied")
            && cluster(result).path("way").asText().equals("in-place")
            && switched > 0
            && switched + left == present;
    stage.tell(
        asExpected
            ? "  %d of %d connections were switched, none was closed for it"
                .formatted(switched, present)
            : "Expected every connection to be switched in place, found: " + result);
    return asExpected;
  }

  private static void tellChange(DemoStage stage, VirtualClusterSpec from, VirtualClusterSpec to) {
    stage.tell(
        String.format(
            Locale.ROOT,
            "  in sluice.yaml: drainTimeout %ds -> %ds, limits.maxConnections %d -> %d",
            from.drainTimeout().toSeconds(),
            to.drainTimeout().toSeconds(),
            from.limits().maxConnections(),
            to.limits().maxConnections()));
  }

  private static Configuration changed(Configuration running) {
    var proxy = running.proxy();
    var clusters =
        proxy.virtualClusters().stream()
            .map(cluster -> cluster.name().equals(CLUSTER) ? changed(cluster) : cluster)
            .toList();
    return new Configuration(
        running.management(),
        new ProxySpec(proxy.network(), proxy.onFailure(), proxy.closePortsFirst(), clusters),
        running.escalation(),
        running.reload());
  }

  private static VirtualClusterSpec changed(VirtualClusterSpec cluster) {
    return new VirtualClusterSpec(
        cluster.name(), DRAIN, cluster.bootstrapServers(), cluster.gateways(), LIMITS);
  }

  private static VirtualClusterSpec of(Configuration configuration) {
    return configuration.proxy().virtualClusters().stream()
        .filter(cluster -> cluster.name().equals(CLUSTER))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode cluster(JsonNode result) {
    for (var cluster : result.path("virtualClusters")) {
      if (cluster.path("name").asText().equals(CLUSTER)) {
        return cluster;
      }
    }
    return result.path("virtualClusters").path(0);
  }
}
