package dev.sluice.bench;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.EmbeddedServer;
import dev.sluice.embedded.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * One broker with a listener for each arm that rewrites nothing: what the broker advertises there
 * is the arm's own port, so that clients come back through it.
 */
final class BenchCluster implements AutoCloseable {

  private static final int HEAP_MEGABYTES = 1024;
  private static final Duration RESTART_LIMIT = Duration.ofSeconds(60);

  /** Records of 1 MiB, and what the protocol adds. */
  private static final int MAX_MESSAGE_BYTES = 4 << 20;

  /** Topics are removed after each use: their files shall go soon. */
  private static final int DELETE_DELAY_MILLIS = 1_000;

  private final EmbeddedCluster cluster;
  private final Map<Arm, Integer> upstreamPorts;

  private BenchCluster(EmbeddedCluster cluster, Map<Arm, Integer> upstreamPorts) {
    this.cluster = cluster;
    this.upstreamPorts = upstreamPorts;
  }

  /**
   * Starts it.
   *
   * @param armPorts where each arm will listen
   */
  static BenchCluster start(Map<Arm, Integer> armPorts) throws InterruptedException {
    var plan =
        ClusterPlan.combined(1)
            .withHeapMegabytes(HEAP_MEGABYTES)
            .withProperty("message.max.bytes", Integer.toString(MAX_MESSAGE_BYTES))
            .withProperty("log.segment.delete.delay.ms", Integer.toString(DELETE_DELAY_MILLIS));
    var cluster = EmbeddedCluster.start(plan);
    try {
      var upstreamPorts = addListeners(cluster.servers().getFirst(), armPorts);
      cluster.awaitReady(RESTART_LIMIT);
      return new BenchCluster(cluster, upstreamPorts);
    } catch (Throwable t) {
      cluster.close();
      throw t;
    }
  }

  private static Map<Arm, Integer> addListeners(EmbeddedServer server, Map<Arm, Integer> armPorts) {
    var properties = server.properties();
    var listeners = new StringBuilder(properties.getProperty("listeners"));
    var advertised = new StringBuilder(properties.getProperty("advertised.listeners"));
    var protocols = new StringBuilder(properties.getProperty("listener.security.protocol.map"));
    var upstreamPorts = new HashMap<Arm, Integer>();
    armPorts.forEach(
        (arm, armPort) -> {
          if (arm.isBlind()) {
            int port = FreePorts.one();
            upstreamPorts.put(arm, port);
            listeners.append(listener(arm, port));
            advertised.append(listener(arm, armPort));
            protocols.append(",%s:PLAINTEXT".formatted(arm.listener()));
          }
        });
    server.changeProperties(
        Map.of(
            "listeners", listeners.toString(),
            "advertised.listeners", advertised.toString(),
            "listener.security.protocol.map", protocols.toString()));
    server.restart();
    return Map.copyOf(upstreamPorts);
  }

  private static String listener(Arm arm, int port) {
    return ",%s://127.0.0.1:%d".formatted(arm.listener(), port);
  }

  /** Where an arm finds the broker, as {@code host:port}. */
  String addressFor(Arm arm) {
    Integer port = upstreamPorts.get(arm);
    return port == null ? bootstrapServers() : "127.0.0.1:" + port;
  }

  /** Where the broker is found without an arm. */
  String bootstrapServers() {
    return cluster.bootstrapServers();
  }

  int serverId() {
    return cluster.servers().getFirst().id();
  }

  /** A folder that goes with the cluster. */
  Path folder() {
    return cluster.folder();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
