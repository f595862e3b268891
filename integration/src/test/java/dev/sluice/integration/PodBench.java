package dev.sluice.integration;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.EmbeddedServer;
import dev.sluice.embedded.Role;
import dev.sluice.kubernetes.RealApiServer;
import dev.sluice.kubernetes.SimApiServer;
import dev.sluice.kubernetes.SimKubelet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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

  /** A controlled shutdown, on a full machine; who is killed comes back with an unclean log. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private static final int CONNECT_MILLIS = 500;

  /** Servers run already; only objects are to be made. */
  private static final Duration PODS_LIMIT = Duration.ofSeconds(60);

  private static final Path ROLE = Path.of("..", "kubernetes", "manifests", "base", "role.yaml");
  private static final String BINDING =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: { name: roller }
      roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: sluice-roll }
      subjects: [ { apiGroup: rbac.authorization.k8s.io, kind: User, name: roller } ]
      """;

  private final EmbeddedCluster kafka;
  private final Api api;
  private final KubernetesClient client;
  private final SimKubelet kubelet;
  private final Map<String, EmbeddedServer> servers = new TreeMap<>();
  private final Path file;
  private final Path kubeconfig;

  /**
   * Where the objects are.
   *
   * @param token of the roller
   * @param sim when it is one that does as told
   */
  private record Api(
      String url,
      String token,
      KubernetesClient client,
      Runnable closing,
      Optional<SimApiServer> sim) {

    static Api mock() {
      var server = new SimApiServer();
      return new Api(server.url(), "none", server.client(), server::close, Optional.of(server));
    }

    /** Where the roller may do what the manifests grant, and nothing else. */
    static Api real(Path folder) throws Exception {
      var server = RealApiServer.start(folder);
      var client = server.client("admin");
      for (var text : List.of(Files.readString(ROLE), BINDING)) {
        var stream = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        client.load(stream).inNamespace(SimKubelet.NAMESPACE).create();
      }
      return new Api(server.url(), "roller", client, server::close, Optional.empty());
    }
  }

  private PodBench(EmbeddedCluster kafka, Api api, Path folder) {
    this.kafka = kafka;
    this.api = api;
    this.client = api.client();
    this.kubelet = new SimKubelet(client, new Servers());
    this.file = folder.resolve("roll.yaml");
    this.kubeconfig = folder.resolve("kubeconfig");
  }

  /** Behind a mock. */
  static PodBench start(ClusterPlan plan, Path folder) throws Exception {
    return start(plan, Api.mock(), folder);
  }

  /** Behind a real kube-apiserver, as an account of the manifests' Role. */
  static PodBench startReal(ClusterPlan plan, Path folder) throws Exception {
    return start(plan, Api.real(Files.createDirectory(folder.resolve("control-plane"))), folder);
  }

  private static PodBench start(ClusterPlan plan, Api api, Path folder) throws Exception {
    var bench = new PodBench(EmbeddedCluster.start(RollBench.quick(plan)), api, folder);
    try {
      bench.configure();
      bench.awaitPods();
      return bench;
    } catch (Exception | AssertionError e) {
      bench.close();
      throw e;
    }
  }

  private void configure() throws IOException {
    var sets = new ArrayList<String>();
    set("combined", Set.of(Role.BROKER, Role.CONTROLLER)).ifPresent(sets::add);
    set("broker", Set.of(Role.BROKER)).ifPresent(sets::add);
    set("controller", Set.of(Role.CONTROLLER)).ifPresent(sets::add);
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        current-context: test
        clusters: [ { name: test, cluster: { server: "%s"%s } } ]
        users: [ { name: test, user: { token: %s } } ]
        contexts: [ { name: test, context: { cluster: test, user: test, namespace: kafka } } ]
        """
            .formatted(
                api.url(),
                api.url().startsWith("https") ? ", insecure-skip-tls-verify: true" : "",
                api.token()));
    Files.writeString(
        file,
        """
        platform:
          kubernetes:
            pods: [ %s ]
        kafka: { bootstrapServers: "%s", bootstrapControllers: "%s" }
        %s"""
            .formatted(
                String.join(", ", sets),
                kafka.bootstrapServers(),
                kafka.controllerBootstrapServers(),
                POLICY));
  }

  /** Those of the first revision: who revises before they are made has nothing to roll. */
  private void awaitPods() {
    await("every pod is made, and ready")
        .atMost(PODS_LIMIT)
        .untilAsserted(
            () ->
                assertThat(pods())
                    .as(String.valueOf(kubelet.problem()))
                    .allSatisfy(pod -> assertThat(well(pod, "one")).isTrue()));
  }

  /** Whether the pod of this name is well, and of this revision. */
  boolean well(String pod, String revision) {
    var found = client.pods().inNamespace(SimKubelet.NAMESPACE).withName(pod).get();
    return found != null
        && found
            .getMetadata()
            .getLabels()
            .getOrDefault("controller-revision-hash", "")
            .endsWith(revision)
        && found.getStatus() != null
        && found.getStatus().getConditions().stream()
            .anyMatch(each -> each.getType().equals("Ready") && each.getStatus().equals("True"));
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

  /** The mock. */
  SimApiServer api() {
    return api.sim().orElseThrow();
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
    api.closing().run();
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
