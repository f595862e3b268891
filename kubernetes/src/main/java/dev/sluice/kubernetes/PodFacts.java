package dev.sluice.kubernetes;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the API server says about one pod.
 *
 * @param deletion when its deletion was asked for; empty when it was not
 * @param phase Pending, Running, Succeeded, Failed or Unknown
 * @param reason of the phase, such as Evicted; may be empty
 * @param node where it is; empty before it was scheduled
 * @param unscheduled why it has no node; empty when it has, or nobody has tried
 * @param ready the condition Ready
 * @param unready why it is not, as far as that is told
 * @param init containers that run before it
 * @param server the container that runs Kafka
 * @param owner the controller that would recreate it
 * @param annotated when annotations were written last, as far as managed fields tell
 */
record PodFacts(
    String name,
    String uid,
    Instant created,
    Optional<Instant> deletion,
    String phase,
    String reason,
    String message,
    String node,
    Optional<Cause> unscheduled,
    boolean ready,
    Optional<Cause> unready,
    List<ContainerFacts> init,
    ContainerFacts server,
    Optional<Owner> owner,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, Instant> annotated) {

  PodFacts {
    init = List.copyOf(init);
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    annotated = Map.copyOf(annotated);
  }

  /** Why a condition is as it is. */
  record Cause(String reason, String message) {}

  /** What a pod says about its controller. */
  record Owner(String apiVersion, String kind, String name, String uid) {}

  boolean running() {
    return deletion.isEmpty()
        && phase.equals("Running")
        && server.state() instanceof ContainerFacts.State.Running;
  }

  /** Whether Kubernetes' own controller would recreate it; others have the kind, too. */
  boolean ofStatefulSet() {
    return ownedBy("apps", Kinds.STATEFUL_SET);
  }

  /** Whether Strimzi's operator would recreate it. */
  boolean ofStrimzi() {
    return ownedBy(Kinds.STRIMZI_GROUP, Kinds.STRIMZI_POD_SET);
  }

  private boolean ownedBy(String group, String kind) {
    return owner
        .filter(each -> each.kind().equals(kind) && each.apiVersion().startsWith(group + "/"))
        .isPresent();
  }
}
