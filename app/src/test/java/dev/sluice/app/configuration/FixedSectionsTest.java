package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixedSectionsTest {

  private static final String CLUSTERS =
      """
      virtualClusters:
        - name: orders
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "localhost:9192" } } ]
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "management.port | management: { port: 9191 }",
        "management.bindAddress | management: { bindAddress: '::1' }",
        "management.tls | management: { tls: { key: { storeFile: a.p12 } } }",
        "management.readiness | management: { readiness: any }",
        "management.endpoints.prometheus | management: { endpoints: {} }",
        "shutdown.closePortsFirst | shutdown: { closePortsFirst: true }",
        "network.proxy.workerThreadCount | network: { proxy: { workerThreadCount: 7 } }",
        "network.proxy.shutdownTimeout | network: { proxy: { shutdownTimeout: 7s } }",
        "network.proxy.idleTimeout | network: { proxy: { idleTimeout: 7s } }",
        "network.proxy.unauthenticatedIdleTimeout |"
            + " network: { proxy: { unauthenticatedIdleTimeout: 7s } }",
        "network.proxy.progressTimeout | network: { proxy: { progressTimeout: 7s } }",
        "network.proxy.tlsHandshakeTimeout | network: { proxy: { tlsHandshakeTimeout: 7s } }",
        "network.proxy.repeatedLogInterval | network: { proxy: { repeatedLogInterval: 7s } }",
        "network.proxy.connectTimeout | network: { proxy: { connectTimeout: 7s } }",
        "proxy.onVirtualClusterFailure.serve |"
            + " proxy: { onVirtualClusterFailure: { serve: remaining } }",
        "proxy.onVirtualClusterFailure.retry |"
            + " proxy: { onVirtualClusterFailure: { retry: { maxRetries: 1 } } }",
        "proxy.onVirtualClusterFailure.escalate |"
            + " proxy: { onVirtualClusterFailure: { escalate: { url: 'http://a' } } }",
      })
  void what_cannot_change_is_named(String path, String yaml) {
    assertThat(FixedSections.changed(read(CLUSTERS), read(yaml + "\n" + CLUSTERS)))
        .isEqualTo(List.of(path));
  }

  @Test
  void virtual_clusters_and_how_they_are_reloaded_can_change() {
    var other = "reload: { watch: false, mode: atomic }\n" + CLUSTERS.replace("orders", "payments");

    assertThat(FixedSections.changed(read(CLUSTERS), read(other))).isEmpty();
  }

  private static Configuration read(String yaml) {
    var file = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
    return ((Accepted) file.read(yaml, Path.of("."))).configuration();
  }
}
