package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/** The start of a cluster: writes its folder, starts a supervisor and the servers, waits. */
final class ClusterStart {

  /** How often all ports are chosen anew because somebody was quicker to take one. */
  private static final int MOST_ATTEMPTS = 3;

  private final ClusterPlan plan;
  private final PortChooser ports;
  private final Duration limit;
  private final String clusterId = Uuid.randomUuid().toString();

  ClusterStart(ClusterPlan plan, PortChooser ports, Duration limit) {
    this.plan = plan;
    this.ports = ports;
    this.limit = limit;
  }

  EmbeddedCluster run() throws InterruptedException {
    plan.classpath().checked();
    try {
      ClusterFolder folder = new ClusterFolder(root());
      SupervisorProcess process = SupervisorProcess.start(folder, plan.folder() == null);
      try {
        return run(folder, process);
      } catch (Throwable t) {
        process.end();
        throw t;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not prepare a cluster: " + e.getMessage(), e);
    }
  }

  private EmbeddedCluster run(ClusterFolder folder, SupervisorProcess process)
      throws IOException, InterruptedException {
    folder.writeClusterId(clusterId);
    for (int attempt = 1; true; attempt++) {
      write(folder);
      SupervisorClient client = process.client();
      plan.servers().forEach(s -> client.ask(SupervisorVerb.START, s.id(), Duration.ZERO));
      var cluster = EmbeddedCluster.owned(folder, client, process, plan.folder() == null);
      try {
        cluster.awaitReady(
            plan.servers().stream().map(PlannedServer::id).collect(Collectors.toSet()), limit);
        return cluster;
      } catch (ServersNotReadyException e) {
        if (!e.portTaken() || attempt == MOST_ATTEMPTS) {
          throw e;
        }
        wipe(folder, client);
      }
    }
  }

  private void write(ClusterFolder folder) throws IOException {
    ServerProperties properties = new ServerProperties(plan, ClusterPorts.choose(plan, ports));
    String voters = voters(properties.controllers());
    for (PlannedServer server : plan.servers()) {
      ServerFolder own = folder.server(server.id());
      Files.createDirectories(own.root());
      Properties written = new Properties();
      written.putAll(properties.of(server, own.logFolder()));
      PropertiesFile.write(own.properties(), written);
      List<String> quorum =
          server.is(Role.CONTROLLER)
              ? List.of("--initial-controllers", voters)
              : List.of("--no-initial-controllers");
      Files.writeString(own.javaArguments(), JavaArguments.server(own, plan, clusterId, quorum));
    }
  }

  /** The first quorum as {@code kafka-storage} wants it: {@code id@host:port:directory-id,...}. */
  private String voters(String addresses) {
    List<PlannedServer> controllers = plan.with(Role.CONTROLLER);
    List<String> hosts = List.of(addresses.split(","));
    Map<Integer, String> voters = new TreeMap<>();
    for (int i = 0; i < controllers.size(); i++) {
      int id = controllers.get(i).id();
      voters.put(id, "%d@%s:%s".formatted(id, hosts.get(i), Uuid.randomUuid()));
    }
    return String.join(",", voters.values());
  }

  private void wipe(ClusterFolder folder, SupervisorClient client) throws IOException {
    for (PlannedServer server : plan.servers()) {
      client.ask(SupervisorVerb.KILL, server.id(), Duration.ZERO);
      ClusterFolder.remove(folder.server(server.id()).root());
    }
  }

  private Path root() throws IOException {
    Path kept = plan.folder();
    if (kept == null) {
      return Files.createTempDirectory("sluice-kafka-");
    }
    Files.createDirectories(kept);
    try (Stream<Path> files = Files.list(kept)) {
      if (files.findAny().isPresent()) {
        throw new IllegalArgumentException(
            "Expected an empty folder for a new cluster, found files in " + kept);
      }
    }
    return kept.toAbsolutePath();
  }
}
