package dev.sluice.kubernetes;

import dev.sluice.roller.Platform;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.DesiredConfiguration;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to the pods of one Kafka cluster. Inside a cluster the account of our own pod is used,
 * outside of it a kubeconfig file. Thread-safe.
 */
public final class KubernetesCluster implements AutoCloseable {

  /** Of one request. */
  public static final Duration REQUEST_LIMIT = Duration.ofSeconds(4);

  private static final int RETRIES = 2;
  private static final int RETRY_MILLIS = 200;

  /** Everything is listed anew at least that often by whoever watches. */
  private static final Duration RESYNC = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(KubernetesCluster.class);

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

  static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor("throttled", new Throttled()))
        .build();
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
   * watched. A watch that ends or fails is begun again, for as long as it takes; one that is too
   * old lists anew. What it misses is seen by the next look all the same.
   */
  public AutoCloseable watch(Runnable changed) {
    List<SharedIndexInformer<Pod>> informers = new ArrayList<>();
    for (PodSelection selection : settings.selections()) {
      var informer =
          client
              .pods()
              .inNamespace(api.namespace())
              .withLabels(selection.labels())
              .runnableInformer(RESYNC.toMillis())
              .addEventHandler(new Waking(changed))
              .exceptionHandler((_, failure) -> watchFailed(failure));
      var _ = informer.start();
      informers.add(informer);
    }
    return () -> informers.forEach(SharedIndexInformer::stop);
  }

  private boolean watchFailed(Throwable failure) {
    LOG.atWarn()
        .addKeyValue("why", Api.watchFailure(failure, api.namespace()))
        .log("Pods are not watched; they are looked at all the same, and watched again soon");
    return true;
  }

  private record Waking(Runnable changed) implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      changed.run();
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      changed.run();
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      changed.run();
    }
  }

  @Override
  public void close() {
    scribe.close();
    client.close();
  }
}
