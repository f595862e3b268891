package dev.sluice.integration;

import static java.util.Objects.requireNonNull;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.EmbeddedServer;
import dev.sluice.embedded.Role;
import dev.sluice.kubernetes.SimApiServer;
import dev.sluice.kubernetes.SimKubelet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A real cluster whose servers are pods in an API server, as far as that can tell. */
final class PodBench implements AutoCloseable {

  /** As those of {@link RollBench}, with less time for a server that does not come back. */
  static final String POLICY = RollBench.POLICY.replace("returnBudget: 90s", "returnBudget: 60s");

  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final int CONNECT_MILLIS = 500;

  private final EmbeddedCluster kafka;
  private final SimApiServer api = new SimApiServer();
  private final KubernetesClient client = api.client();
  private final SimKubelet kubelet = new SimKubelet(client, new Servers());
  private final Map<String, EmbeddedServer> servers = new TreeMap<>();
  private final Path file;
  private final Path kubeconfig;

  private PodBench(EmbeddedCluster kafka, Path folder) throws IOException {
    this.kafka = kafka;
    this.file = folder.resolve("roll.yaml");
    this.kubeconfig = folder.resolve("kubeconfig");
  }

  static PodBench start(ClusterPlan plan, Path folder) throws Exception {
    var bench = new PodBench(EmbeddedCluster.start(plan), folder);
    var sets = new ArrayList<String>();
    bench.set("combined", Set.of(Role.BROKER, Role.CONTROLLER)).ifPresent(sets::add);
    bench.set("broker", Set.of(Role.BROKER)).ifPresent(sets::add);
    bench.set("controller", Set.of(Role.CONTROLLER)).ifPresent(sets::add);
    Files.writeString(
        bench.kubeconfig,
        """
        apiVersion: v1
        kind: Config
        current-context: test
        clusters: [ { name: test, cluster: { server: "%s" } } ]
        users: [ { name: test, user: { token: none } } ]
        contexts: [ { name: test, context: { cluster: test, user: test, namespace: kafka } } ]
        """
            .formatted(bench.api.url()));
    Files.writeString(
        bench.file,
        """
        platform:
          kubernetes:
            pods: [ %s ]
        kafka: { bootstrapServers: "%s", bootstrapControllers: "%s" }
        %s"""
            .formatted(
                String.join(", ", sets),
                bench.kafka.bootstrapServers(),
                bench.kafka.controllerBootstrapServers(),
                POLICY));
    return bench;
  }

  /** Servers of these roles become the pods of one StatefulSet. */
  private Optional<String> set(String name, Set<Role> roles) {
    var mine = kafka.servers().stream().filter(server -> server.roles().equals(roles)).toList();
    if (mine.isEmpty()) {
      return Optional.empty();
    }
    int first = mine.getFirst().id();
    mine.forEach(server -> servers.put(name + "-" + (server.id() - first), server));
    kubelet.set(name, mine.size(), name);
    return Optional.of(
        "{ labels: { app: kafka, role: %s }, roles: [%s], nodeIdOffset: %d }"
            .formatted(
                name,
                String.join(
                    ", ",
                    roles.stream().map(role -> role.name().toLowerCase(Locale.ROOT)).toList()),
                first));
  }

  EmbeddedCluster kafka() {
    return kafka;
  }

  SimApiServer api() {
    return api;
  }

  KubernetesClient client() {
    return client;
  }

  SimKubelet kubelet() {
    return kubelet;
  }

  /** Every pod is to be made of another revision. */
  void revise(String revision) {
    servers.keySet().stream()
        .map(pod -> pod.substring(0, pod.lastIndexOf('-')))
        .distinct()
        .forEach(set -> kubelet.revise(set, revision));
  }

  Set<String> pods() {
    return servers.keySet();
  }

  EmbeddedServer serverOf(String pod) {
    return requireNonNull(servers.get(pod));
  }

  /** Begins {@code sluice roll VERB}. */
  SluiceProcess sluice(String verb, String... more) throws IOException {
    var arguments = new ArrayList<>(List.of("roll", verb, "-c", file.toString()));
    arguments.addAll(List.of(more));
    return SluiceProcess.start(
        Map.of("KUBECONFIG", kubeconfig.toString()), arguments.toArray(String[]::new));
  }

  @Override
  public void close() {
    kubelet.close();
    client.close();
    api.close();
    kafka.close();
  }

  /** What runs in the pods. */
  private final class Servers implements SimKubelet.Processes {

    private final Map<String, InetSocketAddress> addresses = new ConcurrentHashMap<>();

    @Override
    public void start(String pod) {
      serverOf(pod).start();
    }

    @Override
    public void stop(String pod) {
      serverOf(pod).stop(STOP_LIMIT);
    }

    @Override
    public boolean ready(String pod) {
      var address =
          addresses.computeIfAbsent(
              pod,
              _ -> {
                var server = serverOf(pod);
                var text = server.brokerAddress().or(server::controllerAddress).orElseThrow();
                int colon = text.lastIndexOf(':');
                return new InetSocketAddress(
                    text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
              });
      try (var socket = new Socket()) {
        socket.connect(address, CONNECT_MILLIS);
        return true;
      } catch (IOException _) {
        return false;
      }
    }
  }
}
