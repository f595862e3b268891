package dev.sluice.kubernetes;

import dev.sluice.kubernetes.Api.Kind;
import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.roller.Platform;
import dev.sluice.roller.ServerSpec;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Servers that are pods. */
final class KubernetesPlatform implements Platform {

  /**
   * How long a restart waits for the new pod before it leaves that to the next look. Pods that are
   * given their grace period may well take longer.
   */
  static final Duration REPLACEMENT_WAIT = Duration.ofSeconds(25);

  /** A pod without a grace period is replaced at once; others are looked for ever less often. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  private final SnapshotReader reader;
  private final Api api;
  private final KubernetesSettings settings;
  private final Eviction eviction;
  private final PodWords words;
  private final Right right;
  private final Clock clock;
  private final Map<Integer, Instant> absent = new ConcurrentHashMap<>();

  KubernetesPlatform(
      Api api, SnapshotReader reader, KubernetesSettings settings, Right right, Clock clock) {
    this.api = api;
    this.reader = reader;
    this.settings = settings;
    this.eviction = new Eviction(api, right);
    this.words = new PodWords(api, settings.container());
    this.right = right;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "pods in namespace %s with %s, %s"
        .formatted(
            api.namespace(),
            String.join(
                " or ", settings.selections().stream().map(PodSelection::selector).toList()),
            settings.action() == Action.EVICT
                ? "evicted as disruption budgets allow"
                : "deleted, whatever disruption budgets say");
  }

  @Override
  public PlatformReading look(ServerSpec server) throws IOException, InterruptedException {
    return reading(server, reader.read());
  }

  private PlatformReading reading(ServerSpec server, Snapshot now) throws IOException {
    Optional<PodFacts> pod = now.podOf(server.id());
    if (pod.isEmpty()) {
      Instant since = absent.computeIfAbsent(server.id(), _ -> clock.instant());
      return PodReading.absent(since, whyAbsent(server, now));
    }
    absent.remove(server.id());
    return PodReading.of(
        pod.get(),
        now.ownerOf(pod.get()),
        now.budgets(),
        Optional.ofNullable(now.unwell().get(pod.get().node())),
        reader::firstSeen);
  }

  private static String whyAbsent(ServerSpec server, Snapshot now) {
    return now.ownerOf(server.id())
        .map(owner -> "%s %s has not made its pod".formatted(owner.kind(), owner.name()))
        .orElse("it has no pod, and nothing says who would make one");
  }

  @Override
  public void restart(ServerSpec server, Optional<Instant> process)
      throws IOException, InterruptedException {
    Snapshot now = reader.read();
    Optional<PodFacts> found = now.podOf(server.id());
    if (found.isEmpty()) {
      return; // whoever owns it makes it
    }
    PodFacts pod = found.get();
    PlatformReading reading = reading(server, now);
    if (process.isPresent() && isAnother(pod, reading, process.get())) {
      return;
    }
    if (pod.deletion().isEmpty()) {
      end(pod, reading);
    }
    awaitReplacement(server, pod);
  }

  /** Whether somebody has restarted it since it was decided upon. */
  private static boolean isAnother(PodFacts pod, PlatformReading now, Instant process) {
    boolean inPlace =
        now.phase() == Phase.RUNNING
            && now.since().isAfter(process)
            && !process.equals(pod.created());
    return pod.created().isAfter(process) || inPlace;
  }

  private void end(PodFacts pod, PlatformReading reading) throws IOException, InterruptedException {
    if (reading.forbidden().isPresent()) {
      throw new IOException(reading.forbidden().get());
    }
    if (!right.held()) {
      throw new IOException(
          "expected to hold the lease of this cluster, found that it is lost; nothing was done");
    }
    try {
      if (settings.action() == Action.EVICT) {
        eviction.of(pod);
      } else {
        api.delete(Kind.PODS, pod.name(), only(pod));
      }
    } catch (ApiException e) {
      boolean gone = e.code() == ApiException.NOT_FOUND || e.code() == ApiException.CONFLICT;
      if (!gone) {
        throw e; // else it is another pod already
      }
    } finally {
      reader.changed();
    }
  }

  /** This very pod, not the next one of its name. */
  static DeleteOptions only(PodFacts pod) {
    return new DeleteOptionsBuilder()
        .withNewPreconditions()
        .withUid(pod.uid())
        .endPreconditions()
        .build();
  }

  private void awaitReplacement(ServerSpec server, PodFacts old)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + REPLACEMENT_WAIT.toNanos();
    Duration pause = FIRST_PAUSE;
    while (System.nanoTime() < deadline) {
      Optional<PodFacts> pod = reader.read().podOf(server.id());
      if (pod.isPresent() && !pod.get().uid().equals(old.uid())) {
        return;
      }
      Thread.sleep(pause);
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
    }
  }

  @Override
  public List<String> lastWords(ServerSpec server, int most) {
    try {
      Optional<PodFacts> pod = reader.read().podOf(server.id());
      return pod.isEmpty() ? List.of() : new ArrayList<>(words.of(pod.get(), most));
    } catch (IOException e) {
      return List.of("(its pod could not be read: " + e.getMessage() + ")");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
