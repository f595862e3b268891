package dev.sluice.bench;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.EmbeddedServer;
import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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

  /** Where nothing stands in between. */
  private static final Place DIRECT_TLS = new Place(Arm.DIRECT, Upstream.TLS_BROKER);

  private final EmbeddedCluster cluster;
  private final Keys keys;

  /** By place, the port of its listener. */
  private final Map<Place, Integer> listeners = new HashMap<>();

  /** By place, the port on which the arm will listen. */
  private final Map<Place, Integer> armPorts = new HashMap<>();

  private BenchCluster(EmbeddedCluster cluster, Keys keys) {
    this.cluster = cluster;
    this.keys = keys;
  }

  /** Starts it, with what these places need. */
  static BenchCluster start(List<Place> places) throws InterruptedException, IOException {
    var plan =
        ClusterPlan.combined(1)
            .withHeapMegabytes(HEAP_MEGABYTES)
            .withProperty("message.max.bytes", Integer.toString(MAX_MESSAGE_BYTES))
            .withProperty("log.segment.delete.delay.ms", Integer.toString(DELETE_DELAY_MILLIS));
    var cluster = EmbeddedCluster.start(plan);
    try {
      var folder = Files.createDirectories(cluster.folder().resolve("bench"));
      var started = new BenchCluster(cluster, Keys.create(folder));
      places.stream().filter(Place::needsListener).forEach(started::prepare);
      started.prepare(DIRECT_TLS);
      started.addListeners(cluster.servers().getFirst());
      cluster.awaitReady(RESTART_LIMIT);
      return started;
    } catch (Throwable t) {
      cluster.close();
      throw t;
    }
  }

  private void prepare(Place place) {
    int port = FreePorts.one();
    listeners.put(place, port);
    armPorts.put(place, place.arm().isBetween() ? FreePorts.one() : port);
  }

  private void addListeners(EmbeddedServer server) {
    var properties = server.properties();
    var bound = new StringBuilder(properties.getProperty("listeners"));
    var advertised = new StringBuilder(properties.getProperty("advertised.listeners"));
    var protocols = new StringBuilder(properties.getProperty("listener.security.protocol.map"));
    listeners.forEach(
        (place, port) -> {
          bound.append(listener(place, port));
          advertised.append(listener(place, armPort(place)));
          protocols.append(",%s:%s".formatted(place.listener(), place.protocol()));
        });
    server.changeProperties(
        Map.of(
            "listeners", bound.toString(),
            "advertised.listeners", advertised.toString(),
            "listener.security.protocol.map", protocols.toString(),
            "ssl.keystore.type", "PKCS12",
            "ssl.keystore.location", keys.store().toString(),
            "ssl.keystore.password", Keys.PASSWORD,
            "ssl.key.password", Keys.PASSWORD));
    server.restart();
  }

  private static String listener(Place place, int port) {
    return ",%s://127.0.0.1:%d".formatted(place.listener(), port);
  }

  /** On which port an arm is to listen: what the broker advertises, where that matters. */
  int armPort(Place place) {
    return Objects.requireNonNullElseGet(armPorts.get(place), FreePorts::one);
  }

  /** Where an arm finds the broker, as {@code host:port}. */
  String addressFor(Place place) {
    Integer port = listeners.get(place);
    if (port == null && place.upstream() == Upstream.TLS_BROKER) {
      port = listeners.get(DIRECT_TLS);
    }
    return port == null ? bootstrapServers() : "127.0.0.1:" + port;
  }

  /** Where the broker is found without an arm. */
  String bootstrapServers() {
    return cluster.bootstrapServers();
  }

  Keys keys() {
    return keys;
  }

  long brokerPid() {
    return cluster.servers().getFirst().pid();
  }

  int serverId() {
    return cluster.servers().getFirst().id();
  }

  /** A folder that goes with the cluster. */
  Path folder() {
    return cluster.folder().resolve("bench");
  }

  @Override
  public void close() {
    cluster.close();
  }
}
