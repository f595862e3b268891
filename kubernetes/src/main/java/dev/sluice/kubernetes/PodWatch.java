package dev.sluice.kubernetes;

import dev.sluice.kubernetes.Api.Kind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when anything changes about pods. An informer begins a watch again that ends; one that falls
 * silent without an end (the way to the server is gone, or its connection was cut just when it
 * stood) it cannot tell from one that has nothing to say. So what informers know is held against a
 * list now and then, and whoever missed something is replaced.
 */
final class PodWatch implements AutoCloseable {

  /** Everything is told anew at least that often. */
  private static final Duration RESYNC = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(PodWatch.class);

  private final Api api;
  private final Runnable changed;
  private final Pace pace;
  private final List<Watched> watched;
  private final Thread checks;
  private volatile boolean closed;

  /**
   * How soon a silent watch is found out.
   *
   * @param between checks
   * @param settling what a watch that lives may lag behind a list
   */
  record Pace(Duration between, Duration settling) {
    static final Pace DEFAULT = new Pace(Duration.ofSeconds(30), Duration.ofSeconds(5));
  }

  private PodWatch(Api api, List<PodSelection> selections, Runnable changed, Pace pace) {
    this.api = api;
    this.changed = changed;
    this.pace = pace;
    this.watched = selections.stream().map(Watched::new).toList();
    this.checks = Thread.ofVirtual().name("pod-watch").unstarted(this::check);
  }

  static PodWatch begin(Api api, List<PodSelection> selections, Runnable changed, Pace pace) {
    var watch = new PodWatch(api, selections, changed, pace);
    watch.watched.forEach(Watched::begin);
    watch.checks.start();
    return watch;
  }

  private void check() {
    try {
      while (!closed) {
        Thread.sleep(pace.between());
        for (Watched each : watched) {
          checkOne(each);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private static void checkOne(Watched each) throws InterruptedException {
    try {
      each.check();
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("A watch of pods could not be checked; it is tried again soon");
    }
  }

  @Override
  public void close() {
    closed = true;
    checks.interrupt();
    watched.forEach(Watched::end);
  }

  /** Pods of one selection. */
  private final class Watched {

    private final PodSelection selection;
    private SharedIndexInformer<Pod> informer;

    Watched(PodSelection selection) {
      this.selection = selection;
      this.informer = informer();
    }

    private SharedIndexInformer<Pod> informer() {
      return api.client()
          .pods()
          .inNamespace(api.namespace())
          .withLabels(selection.labels())
          .runnableInformer(RESYNC.toMillis())
          .addEventHandler(new Waking(changed))
          .exceptionHandler((_, failure) -> watchFailed(failure));
    }

    synchronized void begin() {
      var _ = informer.start();
    }

    synchronized void end() {
      informer.stop();
    }

    private synchronized Map<String, String> known() {
      return versions(informer.getStore().list());
    }

    private synchronized void beginAnew() {
      if (!closed) {
        informer.stop();
        informer = informer();
        begin();
      }
    }

    void check() throws InterruptedException {
      Map<String, String> before = known();
      if (before.equals(listed(before))) {
        return;
      }
      Thread.sleep(pace.settling());
      if (known().equals(before)) {
        LOG.atWarn()
            .addKeyValue("pods", selection.selector())
            .log("A watch of pods missed what a list shows; it is begun again");
        beginAnew();
      }
    }

    /** What there is now; while nobody tells, as far as that is known. */
    private Map<String, String> listed(Map<String, String> known) {
      try {
        return versions(api.list(Kind.PODS, selection.selector(), PodList.class));
      } catch (ApiException | RuntimeException _) {
        return known; // looks and informers tell of that, or the client was closed
      }
    }

    private static Map<String, String> versions(Collection<Pod> pods) {
      Map<String, String> versions = new TreeMap<>();
      pods.forEach(
          pod -> versions.put(pod.getMetadata().getUid(), pod.getMetadata().getResourceVersion()));
      return versions;
    }
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
}
