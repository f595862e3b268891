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

  /** A controlled shutdown, on a full machine; who is killed comes back with an unclean log. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private static final int CONNECT_MILLIS = 500;

  /** Servers run already; only objects are to be made. */
  private static final Duration PODS_LIMIT = Duration.ofSeconds(60);

  private static final Path MANIFESTS = Path.of("..", "kubernetes", "manifests", "base");
  private static final String ACCOUNT = "sluice-roll";

  private final EmbeddedCluster kafka;
  private final Api api;
  private final KubernetesClient client;
  private final SimKubelet kubelet;
  private final Map<String, EmbeddedServer> servers = new TreeMap<>();
  private final Path file;

  /**
   * Where the objects are.
   *
   * @param environment in which a roller finds it
   * @param sim when it is one that does as told
   * @param kubeconfig of somebody who may do everything
   */
  private record Api(
      KubernetesClient client,
      Map<String, String> environment,
      Runnable closing,
      Optional<SimApiServer> sim,
      Path kubeconfig) {

    /** From outside: by a kubeconfig. */
    static Api mock(Path folder) throws IOException {
      var server = new SimApiServer();
      var kubeconfig =
          Files.writeString(
              folder.resolve("kubeconfig"),
              """
              apiVersion: v1
              kind: Config
              current-context: test
              clusters: [ { name: test, cluster: { server: "%s" } } ]
              users: [ { name: test, user: { token: none } } ]
              contexts: [ { name: test, context: { cluster: test, user: test, namespace: kafka } } ]
              """
                  .formatted(server.url()));
      return new Api(
          server.client(),
          Map.of("KUBECONFIG", kubeconfig.toString()),
          server::close,
          Optional.of(server),
          kubeconfig);
    }

    /** From inside: by the account of a pod, which may do what the manifests grant. */
    static Api real(Path folder) throws Exception {
      var server = RealApiServer.start(folder);
      var client = server.client("admin");
      for (var file : List.of("service-account", "role", "role-binding")) {
        try (var manifest = Files.newInputStream(MANIFESTS.resolve(file + ".yaml"))) {
          client.load(manifest).inNamespace(SimKubelet.NAMESPACE).create();
        }
      }
      var token = RealApiServer.token(client, ACCOUNT);
      return new Api(
          client,
          Map.of(
              "KUBERNETES_AUTH_TRYKUBECONFIG",
              "false",
              "KUBERNETES_SERVICE_HOST",
              "127.0.0.1",
              "KUBERNETES_SERVICE_PORT",
              Integer.toString(server.port()),
              "KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN",
              Files.writeString(folder.resolve("token"), token).toString(),
              "KUBERNETES_CERTS_CA_FILE",
              server.certificates().toString(),
              "KUBENAMESPACE",
              Files.writeString(folder.resolve("namespace"), SimKubelet.NAMESPACE).toString()),
          server::close,
          Optional.empty(),
          Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig("admin")));
    }
  }

  private PodBench(EmbeddedCluster kafka, Api api, Path folder) {
    this.kafka = kafka;
    this.api = api;
    this.client = api.client();
    this.kubelet = new SimKubelet(client, new Servers());
    this.file = folder.resolve("roll.yaml");
  }

  /** Behind a mock. */
  static PodBench start(ClusterPlan plan, Path folder) throws Exception {
    return start(plan, Api.mock(folder), folder);
  }

  /** Behind a real kube-apiserver, with the account of the manifests, as from inside a pod. */
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

  /** Of somebody who may do everything. */
  Path kubeconfig() {
    return api.kubeconfig();
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
    return SluiceProcess.start(api.environment(), arguments.toArray(String[]::new));
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
