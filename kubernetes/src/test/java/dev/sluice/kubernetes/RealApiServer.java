package dev.sluice.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** etcd and kube-apiserver, real ones, in processes of their own that end with it. No kubelet. */
public final class RealApiServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration BETWEEN_ASKING = Duration.ofMillis(250);
  private static final int ATTEMPTS = 5;

  /** Of etcd for clients and for peers, and of the API server. */
  private static final int PORTS = 3;

  private static final String CERTIFICATES = "certificates";
  private static final int PEM_WIDTH = 64;
  private static final int RSA_BITS = 2_048;

  private final List<Process> processes = new ArrayList<>();
  private final Path folder;
  private final int port;

  private RealApiServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Where {@code control-plane/build} puts the programs. */
  public static Path programs() {
    String told = System.getenv("SLUICE_CONTROL_PLANE");
    return told == null
        ? Path.of(System.getProperty("user.home"), ".cache", "sluice", "control-plane")
        : Path.of(told);
  }

  public static boolean available() {
    return Stream.of("etcd", "kube-apiserver", "kubectl")
        .allMatch(program -> Files.isExecutable(programs().resolve(program)));
  }

  /**
   * Starts both and waits until they serve.
   *
   * @param folder for what they keep
   */
  public static RealApiServer start(Path folder) throws Exception {
    return start(folder, RealApiServer::freePorts);
  }

  /**
   * The same at ports that somebody else may take before they listen: then at others.
   *
   * @param ports three that are free, each time
   */
  static RealApiServer start(Path folder, Callable<List<Integer>> ports) throws Exception {
    for (int attempt = 1; ; attempt++) {
      Path mine = Files.createDirectories(folder.resolve("attempt-" + attempt));
      List<Integer> three = ports.call();
      var server = new RealApiServer(mine, three.get(2));
      try {
        server.startEtcd(three.get(0), three.get(1));
        server.startApiServer(three.get(0));
        server.awaitReady();
        return server;
      } catch (Exception | AssertionError e) {
        server.close();
        if (attempt == ATTEMPTS || !server.foundPortTaken()) {
          throw e;
        }
      }
    }
  }

  private boolean foundPortTaken() throws IOException {
    for (String program : List.of("etcd", "kube-apiserver")) {
      Path log = log(program);
      if (Files.exists(log) && Files.readString(log).contains("address already in use")) {
        return true;
      }
    }
    return false;
  }

  private Path log(String program) {
    return folder.resolve(program + ".log");
  }

  /**
   * A client.
   *
   * @param token {@code admin}, who may do everything, or {@code roller}, who may do nothing that
   *     no role grants
   */
  public KubernetesClient client(String token) {
    return client(token, port);
  }

  public int port() {
    return port;
  }

  /** A token of a ServiceAccount, as the kubelet gets it for a pod. */
  public static String token(KubernetesClient admin, String account) {
    var asked = new GenericKubernetesResource();
    asked.setApiVersion("authentication.k8s.io/v1");
    asked.setKind("TokenRequest");
    asked.setAdditionalProperty("spec", Map.of());
    String answer =
        admin.raw(
            "/api/v1/namespaces/%s/serviceaccounts/%s/token"
                .formatted(SimKubelet.NAMESPACE, account),
            "POST",
            asked);
    GenericKubernetesResource granted =
        admin.getKubernetesSerialization().unmarshal(answer, GenericKubernetesResource.class);
    return granted.get("status", "token");
  }

  /** Whom to trust: it signs its own certificate. */
  public Path certificates() {
    return folder.resolve(CERTIFICATES).resolve("apiserver.crt");
  }

  /**
   * What {@code kubectl} finds it by.
   *
   * @param token as for {@link #client(String)}
   */
  public String kubeconfig(String token) {
    return """
        apiVersion: v1
        kind: Config
        current-context: real
        clusters: [ { name: real, cluster: { server: "https://127.0.0.1:%d", certificate-authority: "%s" } } ]
        users: [ { name: real, user: { token: %s } } ]
        contexts: [ { name: real, context: { cluster: real, user: real, namespace: %s } } ]
        """
        .formatted(port, certificates().toAbsolutePath(), token, SimKubelet.NAMESPACE);
  }

  /** The same by way of another port of this machine. */
  KubernetesClient client(String token, int at) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:" + at)
            .withTrustCerts(true)
            .withDisableHostnameVerification(true)
            .withOauthToken(token)
            .withNamespace(SimKubelet.NAMESPACE)
            .withRequestTimeout(4_000)
            .withRequestRetryBackoffLimit(1)
            .withHttp2Disable(true)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  static List<Integer> freePorts() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < PORTS; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      ports.add(socket.getLocalPort());
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ports;
  }

  private void startEtcd(int clients, int peers) throws IOException {
    String at = "http://127.0.0.1:" + clients;
    String peer = "http://127.0.0.1:" + peers;
    start(
        "etcd",
        "--data-dir=" + folder.resolve("etcd"),
        "--listen-client-urls=" + at,
        "--advertise-client-urls=" + at,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=default=" + peer,
        "--unsafe-no-fsync");
  }

  private void startApiServer(int etcd) throws IOException, GeneralSecurityException {
    Path key = folder.resolve("account.key");
    Path publicKey = folder.resolve("account.pub");
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(RSA_BITS);
    var pair = generator.generateKeyPair();
    pem(key, "PRIVATE KEY", pair.getPrivate().getEncoded());
    pem(publicKey, "PUBLIC KEY", pair.getPublic().getEncoded());
    Path tokens = folder.resolve("tokens.csv");
    Files.writeString(
        tokens, "admin,admin,admin,\"system:masters\"\nroller,roller,roller,\"rollers\"\n");
    start(
        "kube-apiserver",
        "--etcd-servers=http://127.0.0.1:" + etcd,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        "--secure-port=" + port,
        "--cert-dir=" + folder.resolve(CERTIFICATES),
        "--token-auth-file=" + tokens,
        "--authorization-mode=RBAC",
        "--disable-admission-plugins=ServiceAccount",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=https://sluice.invalid",
        "--service-account-key-file=" + publicKey,
        "--service-account-signing-key-file=" + key);
  }

  private static void pem(Path file, String what, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(PEM_WIDTH, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }

  private void start(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(programs().resolve(program).toString()));
    command.addAll(List.of(arguments));
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log(program).toFile())
            .start());
  }

  private void awaitReady() throws Exception {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    String last = "nothing yet";
    try (KubernetesClient admin = client("admin")) {
      while (System.nanoTime() < deadline && processes.stream().allMatch(Process::isAlive)) {
        try {
          if ("ok".equals(admin.raw("/readyz"))) {
            admin
                .namespaces()
                .resource(
                    new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(SimKubelet.NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
            return;
          }
        } catch (RuntimeException e) {
          last = String.valueOf(e.getMessage());
        }
        Thread.sleep(BETWEEN_ASKING);
      }
    }
    throw new AssertionError(
        "Expected kube-apiserver to be ready, found " + last + "; see the logs in " + folder);
  }

  @Override
  public void close() {
    for (Process process : processes.reversed()) {
      process.destroy();
    }
    for (Process process : processes) {
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        process.destroyForcibly();
      }
    }
  }
}
