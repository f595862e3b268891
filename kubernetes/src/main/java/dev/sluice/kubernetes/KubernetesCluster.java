package dev.sluice.kubernetes;

import dev.sluice.roller.Platform;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.DesiredConfiguration;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The way to the pods of one Kafka cluster. Inside a cluster the account of our own pod is used,
 * outside of it a kubeconfig file. Thread-safe.
 */
public final class KubernetesCluster implements AutoCloseable {

  /** Of one request. */
  public static final Duration REQUEST_LIMIT = Duration.ofSeconds(4);

  private static final int RETRIES = 2;
  private static final int RETRY_MILLIS = 200;

  private final KubernetesClient client;
  private final Api api;
  private final KubernetesSettings settings;
  private final SnapshotReader reader;
  private final AtomicReference<Right> right = new AtomicReference<>(() -> false);
  private final Platform platform;
  private final RestartScribe scribe;

  private KubernetesCluster(KubernetesClient client, KubernetesSettings settings) {
    this.client = client;
    this.settings = settings;
    String namespace =
        settings.namespace().or(() -> Optional.ofNullable(client.getNamespace())).orElse("default");
    this.api = new Api(client, namespace);
    this.reader = new SnapshotReader(api, settings);
    this.platform =
        new KubernetesPlatform(api, reader, settings, () -> right.get().held(), Clock.systemUTC());
    this.scribe = new RestartScribe(api, reader, Clock.systemUTC());
  }

  /** Asks nothing yet. */
  public static KubernetesCluster open(KubernetesSettings settings) {
    Config config =
        new ConfigBuilder(Config.autoConfigure(settings.context().orElse(null)))
            .withConnectionTimeout((int) REQUEST_LIMIT.toMillis())
            .withRequestTimeout((int) REQUEST_LIMIT.toMillis())
            .withRequestRetryBackoffLimit(RETRIES)
            .withRequestRetryBackoffInterval(RETRY_MILLIS)
            .build();
    return new KubernetesCluster(client(config), settings);
  }

  /**
   * Speaks HTTP/1.1: a request that is not answered ends its connection, so that one on which
   * nothing comes any more is left at once. With HTTP/2 all requests would share it until TCP gives
   * it up, which takes a quarter of an hour.
   */
  static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(config).withHttp2Disable(true).build())
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor("throttled", new Throttled()))
        .build();
  }

  Api api() {
    return api;
  }

  static KubernetesCluster of(KubernetesClient client, KubernetesSettings settings) {
    return new KubernetesCluster(client, settings);
  }

  /**
   * All servers, by their pods and by what their owners should have.
   *
   * @throws IOException if there is none, or they cannot be listed
   */
  public List<ServerSpec> servers() throws IOException, InterruptedException {
    List<ServerSpec> servers = reader.read().servers();
    if (servers.isEmpty()) {
      throw new IOException(
          "expected pods of servers in namespace %s with %s, found none; see platform.kubernetes"
              .formatted(
                  api.namespace(),
                  settings.selections().stream().map(PodSelection::selector).toList()));
    }
    return servers;
  }

  /**
   * Why no pod may be restarted until a person does something about it; empty when one may. That a
   * disruption budget allows nothing now is no such reason: it passes.
   */
  public Optional<String> refusal() throws IOException, InterruptedException {
    Snapshot now = reader.read();
    List<String> refusals =
        now.pods().stream()
            .flatMap(pod -> now.ownerOf(pod).flatMap(OwnerFacts::forbidden).stream())
            .toList();
    return !refusals.isEmpty() && refusals.size() == now.pods().size()
        ? Optional.of(refusals.getFirst())
        : Optional.empty();
  }

  public Platform platform() {
    return platform;
  }

  /**
   * What servers should be configured with.
   *
   * @param ignored keys that never count
   */
  public DesiredConfiguration desired(Set<String> ignored) {
    return new DesiredFromCluster(api, reader, settings, ignored);
  }

  /** Leaves events, and takes requests away that are met. */
  public RollListener scribe() {
    return scribe;
  }

  /** Who wants to act. */
  public LeaseWatch lease(String clusterId, String identity) {
    return new LeaseWatch(api, clusterId, identity, LeaseWatch.DURATION);
  }

  /** From now on this lease is what allows to act. */
  public void actUnder(RollLease lease) {
    right.set(lease);
  }

  public ConfigMapJournal journal(String clusterId) throws IOException {
    return ConfigMapJournal.open(api, clusterId);
  }

  /** What places in addresses stand for, besides {@code {id}}. */
  public Map<String, String> places(ServerSpec server) throws IOException {
    try {
      String pod = reader.read().podOf(server.id()).map(PodFacts::name).orElse("");
      return Map.of("pod", pod, "namespace", api.namespace());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * Says when anything changes about pods of servers, from when the API server lets them be
   * watched. A watch that ends, fails or falls silent is begun again, for as long as it takes; one
   * that is too old lists anew. What it misses is seen by the next look all the same.
   */
  public AutoCloseable watch(Runnable changed) {
    return watch(changed, PodWatch.Pace.DEFAULT);
  }

  AutoCloseable watch(Runnable changed, PodWatch.Pace pace) {
    return PodWatch.begin(api, settings.selections(), changed, pace);
  }

  @Override
  public void close() {
    scribe.close();
    client.close();
  }
}
