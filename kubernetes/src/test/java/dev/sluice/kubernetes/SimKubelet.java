package dev.sluice.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes, starts and ends the pods of StatefulSets, as a controller, a scheduler and a kubelet would
 * and as a test says. Works against any API server.
 */
public final class SimKubelet implements AutoCloseable {

  /** Where everything is. */
  public static final String NAMESPACE = "kafka";

  private static final long PAUSE_NANOS = 50_000_000;
  private static final String CONTAINER = "kafka";
  private static final String NODE = "node-1";

  private final KubernetesClient client;
  private final Processes processes;
  private final Map<String, Fate> fates = new ConcurrentHashMap<>();
  private final Map<String, Fate> later = new ConcurrentHashMap<>();
  private final Map<String, Instant> started = new ConcurrentHashMap<>();
  private final Map<String, Integer> made = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile @Nullable RuntimeException problem;
  private volatile boolean closed;

  /** What runs in pods. */
  public interface Processes {
    void start(String pod);

    void stop(String pod);

    boolean ready(String pod);

    /** Pods without anything in them, ready at once. */
    Processes NONE =
        new Processes() {
          @Override
          public void start(String pod) {}

          @Override
          public void stop(String pod) {}

          @Override
          public boolean ready(String pod) {
            return true;
          }
        };
  }

  /** What becomes of a pod. */
  public sealed interface Fate {
    record Runs() implements Fate {}

    record NeverReady() implements Fate {}

    record Unschedulable(String message) implements Fate {}

    record Waits(String reason, String message) implements Fate {}

    record Crashes(int exitCode, String message) implements Fate {}

    /** Nobody makes it. */
    record NotMade() implements Fate {}
  }

  public SimKubelet(KubernetesClient client, Processes processes) {
    this.client = client;
    this.processes = processes;
    this.thread = Thread.ofPlatform().daemon().name("sim-kubelet").start(this::run);
  }

  /** A StatefulSet whose pods have this label besides. */
  public void set(String name, int replicas, String role) {
    Map<String, String> labels = Map.of("app", "kafka", "role", role);
    client
        .apps()
        .statefulSets()
        .inNamespace(NAMESPACE)
        .resource(
            new StatefulSetBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .withGeneration(1L)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withServiceName(name)
                .withNewUpdateStrategy()
                .withType("OnDelete")
                .endUpdateStrategy()
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName(CONTAINER)
                .withImage("example.invalid/kafka:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build())
        .create();
    revise(name, "one");
  }

  /** From now on its pods are made of another revision. */
  public void revise(String name, String revision) {
    client
        .apps()
        .statefulSets()
        .inNamespace(NAMESPACE)
        .withName(name)
        .editStatus(
            set -> {
              var status =
                  set.getStatus() == null
                      ? new StatefulSetStatusBuilder()
                      : new StatefulSetStatusBuilder(set.getStatus());
              int replicas = set.getSpec().getReplicas();
              return new StatefulSetBuilder(set)
                  .withStatus(
                      status
                          .withReplicas(replicas)
                          .withObservedGeneration(set.getMetadata().getGeneration())
                          .withUpdateRevision(name + "-" + revision)
                          .build())
                  .build();
            });
  }

  /** From now on, and until told otherwise. */
  public void fate(String pod, Fate fate) {
    fates.put(pod, fate);
  }

  /** Of the next pod of a name, and not of the one that there is. */
  public void fateOfNext(String pod, Fate fate) {
    later.put(pod, fate);
  }

  /** How often a pod of a name was made. */
  public int made(String pod) {
    return made.getOrDefault(pod, 0);
  }

  /** What went wrong last, for those who wait in vain; it is tried again all the same. */
  public Optional<RuntimeException> problem() {
    return Optional.ofNullable(problem);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(10_000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!closed) {
      try {
        reconcile();
      } catch (RuntimeException e) {
        // Somebody else wrote, a pod is gone that was about to be written, the server refuses, a
        // process does not start: once more. A controller that ends by that makes no pods any more.
        problem = e;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void reconcile() {
    Map<String, Pod> pods = new HashMap<>();
    client
        .pods()
        .inNamespace(NAMESPACE)
        .list()
        .getItems()
        .forEach(pod -> pods.put(pod.getMetadata().getName(), pod));
    for (StatefulSet set : client.apps().statefulSets().inNamespace(NAMESPACE).list().getItems()) {
      for (int i = 0; i < set.getSpec().getReplicas() && revised(set); i++) {
        String name = set.getMetadata().getName() + "-" + i;
        Pod pod = pods.get(name);
        if (pod == null) {
          make(name, set);
        } else if (pod.getMetadata().getDeletionTimestamp() != null) {
          end(name);
        } else {
          keep(pod);
        }
      }
    }
  }

  private static boolean revised(StatefulSet set) {
    return set.getStatus() != null && set.getStatus().getUpdateRevision() != null;
  }

  private void end(String name) {
    processes.stop(name);
    started.remove(name);
    client.pods().inNamespace(NAMESPACE).withName(name).withGracePeriod(0).delete();
  }

  private void make(String name, StatefulSet set) {
    if (started.remove(name) != null) {
      processes.stop(name);
    }
    Fate next = later.remove(name);
    if (next != null) {
      fates.put(name, next);
    }
    if (fates.getOrDefault(name, new Fate.Runs()) instanceof Fate.NotMade) {
      return;
    }
    Map<String, String> labels =
        new HashMap<>(set.getSpec().getTemplate().getMetadata().getLabels());
    labels.put(Annotations.STATEFUL_SET_REVISION, set.getStatus().getUpdateRevision());
    client
        .pods()
        .inNamespace(NAMESPACE)
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .withLabels(labels)
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind(Kinds.STATEFUL_SET)
                .withName(set.getMetadata().getName())
                .withUid(set.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withSpec(set.getSpec().getTemplate().getSpec())
                .editSpec()
                .withNodeName(placed(name))
                .endSpec()
                .build())
        .create();
    made.merge(name, 1, Integer::sum);
  }

  private @Nullable String placed(String name) {
    return fates.get(name) instanceof Fate.Unschedulable ? null : NODE;
  }

  private void keep(Pod pod) {
    String name = pod.getMetadata().getName();
    PodStatus wanted =
        switch (fates.getOrDefault(name, new Fate.Runs())) {
          case Fate.Runs _ -> running(name, true);
          case Fate.NeverReady _ -> running(name, false);
          case Fate.NotMade _ -> running(name, true);
          case Fate.Unschedulable(String message) ->
              new PodStatusBuilder()
                  .withPhase("Pending")
                  .addToConditions(
                      new PodConditionBuilder()
                          .withType("PodScheduled")
                          .withStatus("False")
                          .withReason("Unschedulable")
                          .withMessage(message)
                          .build())
                  .build();
          case Fate.Waits(String reason, String message) ->
              status("Pending", false, waiting(reason, message), new ContainerState(), 0);
          case Fate.Crashes(int exitCode, String message) ->
              status(
                  "Running",
                  false,
                  waiting("CrashLoopBackOff", "back-off 5m0s restarting failed container"),
                  ended(pod, exitCode, message),
                  3);
        };
    boolean differs =
        pod.getStatus() == null
            || !java.util.Objects.equals(
                pod.getStatus().getContainerStatuses(), wanted.getContainerStatuses())
            || !pod.getStatus().getConditions().equals(wanted.getConditions());
    if (differs) {
      client
          .pods()
          .inNamespace(NAMESPACE)
          .withName(name)
          .editStatus(each -> new PodBuilder(each).withStatus(wanted).build());
    }
  }

  private PodStatus running(String name, boolean well) {
    Instant since =
        started.computeIfAbsent(
            name,
            _ -> {
              processes.start(name);
              return Instant.now();
            });
    boolean ready = well && processes.ready(name);
    return status(
        "Running",
        ready,
        new ContainerStateBuilder()
            .withNewRunning()
            .withStartedAt(since.toString())
            .endRunning()
            .build(),
        new ContainerState(),
        0);
  }

  private static ContainerState waiting(String reason, String message) {
    return new ContainerStateBuilder()
        .withNewWaiting()
        .withReason(reason)
        .withMessage(message)
        .endWaiting()
        .build();
  }

  private static ContainerState ended(Pod pod, int exitCode, String message) {
    return new ContainerStateBuilder()
        .withNewTerminated()
        .withExitCode(exitCode)
        .withReason("Error")
        .withMessage(message)
        .withFinishedAt(pod.getMetadata().getCreationTimestamp())
        .endTerminated()
        .build();
  }

  private static PodStatus status(
      String phase, boolean ready, ContainerState now, ContainerState last, int restarts) {
    return new PodStatusBuilder()
        .withPhase(phase)
        .addToConditions(
            new PodConditionBuilder()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .build())
        .addToContainerStatuses(
            new ContainerStatusBuilder()
                .withName(CONTAINER)
                .withImage("example.invalid/kafka:1")
                .withImageID("")
                .withReady(ready)
                .withRestartCount(restarts)
                .withState(now)
                .withLastState(last)
                .build())
        .build();
  }
}
