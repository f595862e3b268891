package dev.sluice.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A running Kafka cluster: one JVM per server, owned by a supervisor process. Thread-safe.
 *
 * <p>The one that {@link #start started} it owns it: the cluster ends when it is closed or when the
 * owning process ends, by whatever means. Another process may {@link #attach} and command the
 * servers; closing an attached cluster ends nothing.
 */
public final class EmbeddedCluster implements AutoCloseable {

  /** How long a whole cluster may take to serve; idle cores need about 6 s for three servers. */
  public static final Duration START_LIMIT = Duration.ofMinutes(2);

  /** How long the servers of a kept cluster may take to stop before they are killed. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final ClusterFolder folder;
  private final SupervisorClient supervisor;
  private final @Nullable SupervisorProcess owned;
  private final boolean temporary;
  private final List<EmbeddedServer> servers;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedCluster(
      ClusterFolder folder,
      SupervisorClient supervisor,
      @Nullable SupervisorProcess owned,
      boolean temporary) {
    this.folder = folder;
    this.supervisor = supervisor;
    this.owned = owned;
    this.temporary = temporary;
    this.servers =
        folder.servers().stream().map(server -> new EmbeddedServer(server, supervisor)).toList();
  }

  /**
   * Starts a cluster and waits until all its servers serve, at most {@link #START_LIMIT}.
   *
   * @throws ServersNotReadyException if a server ends or does not serve in time; nothing is left
   */
  public static EmbeddedCluster start(ClusterPlan plan) throws InterruptedException {
    return new ClusterStart(plan, PortChooser.byChance(), START_LIMIT).run();
  }

  /**
   * Attaches to a cluster that another process started.
   *
   * @param folder what {@link #folder()} answers there
   */
  public static EmbeddedCluster attach(Path folder) {
    ClusterFolder found = new ClusterFolder(folder.toAbsolutePath());
    var client = new SupervisorClient(SupervisorAddress.read(found.supervisorAddress()));
    return new EmbeddedCluster(found, client, null, false);
  }

  static EmbeddedCluster owned(
      ClusterFolder folder, SupervisorClient client, SupervisorProcess process, boolean temporary) {
    return new EmbeddedCluster(folder, client, process, temporary);
  }

  /** Addresses of all brokers, comma-separated. */
  public String bootstrapServers() {
    return addresses(servers.stream().map(EmbeddedServer::brokerAddress).toList());
  }

  /** Addresses of all controllers, comma-separated. */
  public String controllerBootstrapServers() {
    return addresses(servers.stream().map(EmbeddedServer::controllerAddress).toList());
  }

  /** Addresses of all brokers at a further listener, comma-separated. */
  public String bootstrapServers(String listener) {
    return addresses(servers.stream().map(server -> server.brokerAddress(listener)).toList());
  }

  public String clusterId() {
    return folder.clusterId();
  }

  /** Where the cluster lives, and what {@link #attach} wants to know. */
  public Path folder() {
    return folder.root();
  }

  public long supervisorPid() {
    return supervisor.pid();
  }

  /** All servers, in the order of their ids. */
  public List<EmbeddedServer> servers() {
    return servers;
  }

  public EmbeddedServer server(int id) {
    return servers.stream()
        .filter(server -> server.id() == id)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Expected one of %s, found server %d".formatted(servers, id)));
  }

  /** The facts of all servers, in the order of their ids. */
  public List<ServerFacts> facts() {
    return supervisor.facts();
  }

  /**
   * Waits until every server that is alive and not paused serves.
   *
   * @throws ServersNotReadyException if one ends meanwhile, or the limit is over
   */
  public void awaitReady(Duration limit) throws InterruptedException {
    Set<Integer> expected =
        facts().stream()
            .filter(facts -> facts.alive() && !facts.paused())
            .map(ServerFacts::id)
            .collect(Collectors.toCollection(TreeSet::new));
    awaitReady(expected, limit);
  }

  /**
   * Waits until these servers serve.
   *
   * @throws ServersNotReadyException if one is not there or ends, or the limit is over
   */
  public void awaitReady(Set<Integer> ids, Duration limit) throws InterruptedException {
    new Readiness(supervisor, servers).await(ids, limit);
  }

  /**
   * Ends the cluster if this process started it, at most 40 seconds. The servers of a kept folder
   * are asked to stop first, brokers before controllers; those of a temporary one are killed and
   * the folder is removed.
   */
  @Override
  public void close() {
    if (owned == null || !closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!temporary) {
        stopAll(Role.BROKER);
        stopAll(Role.CONTROLLER);
      }
    } finally {
      owned.end();
    }
  }

  private void stopAll(Role role) {
    List<Thread> stops =
        servers.stream()
            .filter(server -> server.roles().contains(role))
            .map(server -> Thread.ofVirtual().start(() -> server.stop(CLOSE_LIMIT)))
            .toList();
    try {
      for (Thread stop : stops) {
        stop.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static String addresses(List<Optional<String>> addresses) {
    return addresses.stream().flatMap(Optional::stream).collect(Collectors.joining(","));
  }
}
