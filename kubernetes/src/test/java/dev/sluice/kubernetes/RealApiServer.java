package dev.sluice.kubernetes;

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
import java.util.concurrent.TimeUnit;

/** etcd and kube-apiserver, real ones, in processes of their own that end with it. No kubelet. */
public final class RealApiServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration BETWEEN_ASKING = Duration.ofMillis(250);
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
    return Files.isExecutable(programs().resolve("etcd"))
        && Files.isExecutable(programs().resolve("kube-apiserver"));
  }

  /**
   * Starts both and waits until they serve.
   *
   * @param folder for what they keep
   */
  public static RealApiServer start(Path folder) throws Exception {
    List<Integer> ports = freePorts(3);
    var server = new RealApiServer(folder, ports.get(2));
    try {
      server.startEtcd(ports.get(0), ports.get(1));
      server.startApiServer(ports.get(0));
      server.awaitReady();
      return server;
    } catch (Exception e) {
      server.close();
      throw e;
    }
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

  int port() {
    return port;
  }

  /** Its certificate is signed by nobody. */
  public String url() {
    return "https://127.0.0.1:" + port;
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
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
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
        "--cert-dir=" + folder.resolve("certificates"),
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
            .redirectOutput(folder.resolve(program + ".log").toFile())
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
