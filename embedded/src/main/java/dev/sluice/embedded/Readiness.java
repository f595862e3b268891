package dev.sluice.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;

/**
 * Waits until all servers that were started serve: every listener answers a request, and the
 * controller lists every broker as registered and not fenced.
 */
final class Readiness {

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration ADMIN_LIMIT = Duration.ofSeconds(5);
  private static final int LOG_LINES = 15;

  /** How Java says that a port is taken. */
  private static final List<String> PORT_TAKEN = List.of("Address already in use", "BindException");

  private final SupervisorClient supervisor;
  private final Map<Integer, EmbeddedServer> servers;
  private String lastSeen = "nothing yet";

  Readiness(SupervisorClient supervisor, List<EmbeddedServer> servers) {
    this.supervisor = supervisor;
    this.servers = servers.stream().collect(Collectors.toMap(EmbeddedServer::id, s -> s));
  }

  /**
   * Waits for the servers that were started and neither stopped by request nor paused.
   *
   * @throws ServersNotReadyException if one of them ends, or the limit is over
   */
  void await(Set<Integer> expected, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    awaitAnswers(expected, deadline, limit);
    List<String> brokers =
        expected.stream().flatMap(id -> server(id).brokerAddress().stream()).toList();
    if (brokers.isEmpty()) {
      return;
    }
    Map<String, Object> configuration =
        Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, String.join(",", brokers));
    try (Admin admin = Admin.create(configuration)) {
      while (!unfenced(admin, expected)) {
        check(expected, deadline, limit);
        Thread.sleep(LOOK_EVERY);
      }
    }
  }

  private void awaitAnswers(Set<Integer> expected, long deadline, Duration limit)
      throws InterruptedException {
    List<String> silent =
        new ArrayList<>(
            expected.stream()
                .map(this::server)
                .flatMap(
                    s -> Stream.concat(s.brokerAddress().stream(), s.controllerAddress().stream()))
                .toList());
    while (true) {
      silent.removeIf(Greeting::isAnsweredBy);
      if (silent.isEmpty()) {
        return;
      }
      lastSeen = "no answer from " + silent;
      check(expected, deadline, limit);
      Thread.sleep(LOOK_EVERY);
    }
  }

  private boolean unfenced(Admin admin, Set<Integer> expected) throws InterruptedException {
    Set<Integer> missing =
        expected.stream()
            .filter(id -> server(id).brokerAddress().isPresent())
            .collect(Collectors.toCollection(TreeSet::new));
    try {
      admin.describeCluster().nodes().get(ADMIN_LIMIT.toMillis(), TimeUnit.MILLISECONDS).stream()
          .map(Node::id)
          .forEach(missing::remove);
      lastSeen = "brokers not registered or fenced: " + missing;
      return missing.isEmpty();
    } catch (ExecutionException | TimeoutException e) {
      lastSeen = "describeCluster: " + e;
      return false;
    }
  }

  private void check(Set<Integer> expected, long deadline, Duration limit) {
    List<Integer> ended =
        supervisor.facts().stream()
            .filter(facts -> expected.contains(facts.id()) && !facts.alive())
            .map(ServerFacts::id)
            .toList();
    if (!ended.isEmpty()) {
      throw notReady("Expected servers " + expected + " to serve, but these ended", ended);
    }
    if (System.nanoTime() > deadline) {
      throw notReady(
          "Expected servers %s to serve within %s, last seen: %s"
              .formatted(expected, limit, lastSeen),
          List.copyOf(expected));
    }
  }

  private ServersNotReadyException notReady(String what, List<Integer> ids) {
    StringBuilder message = new StringBuilder(what).append(": ").append(ids);
    boolean portTaken = false;
    for (int id : ids) {
      List<String> errors = server(id).lastErrorLines(LOG_LINES);
      portTaken |= errors.stream().anyMatch(line -> PORT_TAKEN.stream().anyMatch(line::contains));
      message.append("\n--- last errors of server ").append(id);
      errors.forEach(line -> message.append("\n").append(line));
      message.append("\n--- last lines of ").append(server(id).logFile());
      server(id).lastLogLines(LOG_LINES).forEach(line -> message.append("\n").append(line));
    }
    return new ServersNotReadyException(message.toString(), portTaken);
  }

  private EmbeddedServer server(int id) {
    EmbeddedServer server = servers.get(id);
    if (server == null) {
      throw new IllegalArgumentException(
          "Expected one of the servers %s, found %d".formatted(servers.keySet(), id));
    }
    return server;
  }
}
