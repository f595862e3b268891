package dev.sluice.bench;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Configuration files of arms, each as its guide has it and with one worker thread where that can
 * be said.
 *
 * @param upstream as {@code host:port}
 * @param kind whether that speaks TLS, and so the arm on both sides
 */
record ArmSetting(BenchCluster cluster, String upstream, Upstream kind) {

  /** More than any workload opens. */
  private static final int MAX_CONNECTIONS = 20_000;

  /** As users run it: the distribution, everything else as it comes. */
  Path sluice(int port, boolean filtered) throws IOException {
    String text =
        """
        management: { port: %d }
        network: { proxy: { workerThreadCount: 1 } }
        %s
        virtualClusters:
          - name: bench
            limits: { maxConnections: %d }
            targetCluster: { bootstrapServers: "%s"%s }
            %s%s%s
        """
            .formatted(
                FreePorts.one(),
                filtered
                    ? "filterDefinitions: [ { name: audit, type: AuditLog, config: { apis: [ Metadata ] } } ]"
                    : "",
                MAX_CONNECTIONS,
                upstream,
                isTls() ? ", tls: { trust: { storeFile: %s } }".formatted(keys().root()) : "",
                gateway(port),
                isTls() ? gatewayTls() : "",
                filtered ? "    filters: [ audit ]" : "");
    return Files.writeString(file(filtered ? "filtered.yaml" : "sluice.yaml"), text);
  }

  Path haproxy(int port) throws IOException {
    String text =
        """
        global
          nbthread 1
          maxconn %d
        defaults
          mode tcp
          timeout connect 10s
          timeout client 10m
          timeout server 10m
        listen kafka
          bind 127.0.0.1:%d%s
          server broker %s%s
        """
            .formatted(
                Descriptors.connections(MAX_CONNECTIONS),
                port,
                isTls() ? " ssl crt " + keys().both() : "",
                upstream,
                isTls() ? " ssl verify required ca-file " + keys().root() : "");
    return Files.writeString(file("haproxy.cfg"), text);
  }

  /** With no filter; one worker thread is not a setting that it offers. */
  Path kroxylicious(int port) throws IOException {
    String text =
        """
        virtualClusters:
          - name: bench
            targetCluster:
              bootstrapServers: "%s"%s
            %s%s
        """
            .formatted(
                upstream,
                isTls()
                    ? "\n      tls: { trust: { storeFile: %s, storeType: PEM } }"
                        .formatted(keys().root())
                    : "",
                gateway(port),
                isTls() ? gatewayTls() : "");
    return Files.writeString(file("kroxylicious.yaml"), text);
  }

  private String gateway(int port) {
    return """
        gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: 127.0.0.1:%d
                  nodeStartPort: %d
                  nodeIdRanges: [ { name: brokers, start: %d, end: %d } ]
        """
        .formatted(port, FreePorts.one(), cluster.serverId(), cluster.serverId());
  }

  private String gatewayTls() {
    return "        tls: { key: { certificateFile: %s, privateKeyFile: %s } }\n"
        .formatted(keys().certificates(), keys().privateKey());
  }

  private boolean isTls() {
    return kind == Upstream.TLS_BROKER;
  }

  private Keys keys() {
    return cluster.keys();
  }

  private Path file(String name) {
    return cluster.folder().resolve(kind.name() + "-" + name);
  }
}
