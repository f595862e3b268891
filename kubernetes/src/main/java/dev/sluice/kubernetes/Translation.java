package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.kubernetes.ContainerFacts.State;
import dev.sluice.kubernetes.ContainerFacts.Termination;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** From objects of the API to facts. Everything that may be missing there is absent here. */
final class Translation {

  /** What the names of managed fields begin with. */
  private static final String FIELD = "f:";

  private Translation() {}

  /**
   * A pod.
   *
   * @param container that runs Kafka; the first one when none has that name
   */
  static PodFacts pod(Pod pod, String container) {
    ObjectMeta meta = pod.getMetadata();
    var status = pod.getStatus();
    List<PodCondition> conditions =
        status == null ? List.of() : requireNonNullElse(status.getConditions(), List.of());
    List<ContainerStatus> containers =
        status == null ? List.of() : requireNonNullElse(status.getContainerStatuses(), List.of());
    List<ContainerStatus> init =
        status == null
            ? List.of()
            : requireNonNullElse(status.getInitContainerStatuses(), List.of());
    return new PodFacts(
        meta.getName(),
        said(meta.getUid()),
        instant(meta.getCreationTimestamp()).orElse(Instant.EPOCH),
        deletion(meta),
        status == null ? "" : said(status.getPhase()),
        status == null ? "" : said(status.getReason()),
        status == null ? "" : said(status.getMessage()),
        pod.getSpec() == null ? "" : said(pod.getSpec().getNodeName()),
        unscheduled(conditions),
        conditions.stream().anyMatch(each -> is(each, "Ready", "True")),
        conditions.stream()
            .filter(each -> is(each, "Ready", "False"))
            .findFirst()
            .map(Translation::cause),
        init.stream().map(Translation::container).toList(),
        containers.stream()
            .filter(each -> each.getName().equals(container))
            .findFirst()
            .or(() -> containers.stream().findFirst())
            .map(Translation::container)
            .orElse(new ContainerFacts(container, new State.Untold(), Optional.empty(), 0)),
        owner(meta),
        requireNonNullElse(meta.getLabels(), Map.of()),
        requireNonNullElse(meta.getAnnotations(), Map.of()),
        annotated(meta));
  }

  /** A StrimziPodSet lists its pods as they should be, each with its revision. */
  static OwnerFacts podSet(GenericKubernetesResource set) {
    SortedMap<String, Map<String, String>> members = new TreeMap<>();
    SortedMap<String, String> revisions = new TreeMap<>();
    List<Map<String, Object>> pods =
        requireNonNullElse(set.<List<Map<String, Object>>>get("spec", "pods"), List.of());
    for (Map<String, Object> pod : pods) {
      if (pod.get("metadata") instanceof Map<?, ?> meta
          && meta.get("name") instanceof String name) {
        members.put(name, texts(meta.get("labels")));
        Optional.ofNullable(texts(meta.get("annotations")).get(Annotations.STRIMZI_REVISION))
            .ifPresent(revision -> revisions.put(name, revision));
      }
    }
    ObjectMeta meta = set.getMetadata();
    return new OwnerFacts(
        set.getApiVersion(),
        Kinds.STRIMZI_POD_SET,
        meta.getName(),
        said(meta.getUid()),
        members,
        revisions,
        Optional.empty(),
        Optional.empty(),
        requireNonNullElse(meta.getAnnotations(), Map.of()),
        annotated(meta));
  }

  /** Of {@code policy/v1} and {@code policy/v1beta1} alike. */
  static BudgetFacts budget(GenericKubernetesResource budget) {
    return new BudgetFacts(
        budget.getMetadata().getName(),
        selector(budget),
        number(budget, "disruptionsAllowed"),
        number(budget, "currentHealthy"),
        number(budget, "desiredHealthy"));
  }

  private static BudgetFacts.Selector selector(GenericKubernetesResource budget) {
    List<BudgetFacts.Expression> expressions = new ArrayList<>();
    List<Map<String, Object>> found =
        requireNonNullElse(
            budget.<List<Map<String, Object>>>get("spec", "selector", "matchExpressions"),
            List.of());
    for (Map<String, Object> each : found) {
      List<String> values = new ArrayList<>();
      if (each.get("values") instanceof List<?> list) {
        list.forEach(value -> values.add(String.valueOf(value)));
      }
      expressions.add(
          new BudgetFacts.Expression(
              String.valueOf(each.get("key")), String.valueOf(each.get("operator")), values));
    }
    return new BudgetFacts.Selector(
        texts(budget.get("spec", "selector", "matchLabels")), expressions);
  }

  private static int number(GenericKubernetesResource budget, String key) {
    Object value = budget.get("status", key);
    return value instanceof Number number ? number.intValue() : 0;
  }

  /** Empty when the node is well. */
  static Optional<NodeFacts> unwell(Node node) {
    var status = node.getStatus();
    return status == null || status.getConditions() == null
        ? Optional.empty()
        : status.getConditions().stream()
            .filter(each -> "Ready".equals(each.getType()) && !"True".equals(each.getStatus()))
            .findFirst()
            .map(
                each ->
                    new NodeFacts(
                        node.getMetadata().getName(),
                        instant(each.getLastTransitionTime()).orElse(Instant.EPOCH),
                        said(each.getReason()),
                        said(each.getMessage())));
  }

  // --- parts of a pod

  private static Optional<Instant> deletion(ObjectMeta meta) {
    long grace = requireNonNullElse(meta.getDeletionGracePeriodSeconds(), 0L);
    return instant(meta.getDeletionTimestamp()).map(end -> end.minusSeconds(grace));
  }

  private static Optional<PodFacts.Cause> unscheduled(List<PodCondition> conditions) {
    return conditions.stream()
        .filter(each -> is(each, "PodScheduled", "False"))
        .filter(each -> "Unschedulable".equals(each.getReason()))
        .findFirst()
        .map(Translation::cause);
  }

  private static PodFacts.Cause cause(PodCondition condition) {
    return new PodFacts.Cause(said(condition.getReason()), said(condition.getMessage()));
  }

  private static boolean is(PodCondition condition, String type, String status) {
    return type.equals(condition.getType()) && status.equals(condition.getStatus());
  }

  private static ContainerFacts container(ContainerStatus status) {
    return new ContainerFacts(
        status.getName(),
        state(status.getState()),
        status.getLastState() == null
            ? Optional.empty()
            : Optional.ofNullable(status.getLastState().getTerminated()).map(Translation::ended),
        requireNonNullElse(status.getRestartCount(), 0));
  }

  private static State state(@Nullable ContainerState state) {
    if (state == null) {
      return new State.Untold();
    }
    if (state.getRunning() != null) {
      return new State.Running(instant(state.getRunning().getStartedAt()).orElse(Instant.EPOCH));
    }
    if (state.getTerminated() != null) {
      return new State.Ended(ended(state.getTerminated()));
    }
    return state.getWaiting() == null
        ? new State.Untold()
        : new State.Waiting(
            said(state.getWaiting().getReason()), said(state.getWaiting().getMessage()));
  }

  private static Termination ended(ContainerStateTerminated ended) {
    return new Termination(
        requireNonNullElse(ended.getExitCode(), 0),
        said(ended.getReason()),
        said(ended.getMessage()),
        instant(ended.getFinishedAt()).orElse(Instant.EPOCH));
  }

  private static Optional<PodFacts.Owner> owner(ObjectMeta meta) {
    return requireNonNullElse(
            meta.getOwnerReferences(), List.<io.fabric8.kubernetes.api.model.OwnerReference>of())
        .stream()
        .filter(each -> Boolean.TRUE.equals(each.getController()))
        .findFirst()
        .map(
            each ->
                new PodFacts.Owner(
                    each.getApiVersion(), each.getKind(), each.getName(), said(each.getUid())));
  }

  /** When whoever wrote an annotation wrote last: not before the annotation, and seldom after. */
  static Map<String, Instant> annotated(ObjectMeta meta) {
    Map<String, Instant> times = new HashMap<>();
    for (ManagedFieldsEntry entry :
        requireNonNullElse(meta.getManagedFields(), List.<ManagedFieldsEntry>of())) {
      Optional<Instant> time = instant(entry.getTime());
      if (time.isPresent()
          && entry.getFieldsV1() != null
          && entry.getFieldsV1().getAdditionalProperties().get("f:metadata")
              instanceof Map<?, ?> fields
          && fields.get("f:annotations") instanceof Map<?, ?> annotations) {
        annotations.keySet().stream()
            .map(String::valueOf)
            .filter(key -> key.startsWith(FIELD)) // "." stands for the mapping itself
            .forEach(key -> times.put(key.substring(FIELD.length()), time.get()));
      }
    }
    return times;
  }

  // --- values

  private static Map<String, String> texts(@Nullable Object value) {
    Map<String, String> texts = new HashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, each) -> texts.put(String.valueOf(key), String.valueOf(each)));
    }
    return texts;
  }

  static Optional<Instant> instant(@Nullable String text) {
    return text == null ? Optional.empty() : Optional.of(OffsetDateTime.parse(text).toInstant());
  }

  static Optional<String> present(@Nullable String text) {
    return Optional.ofNullable(text).filter(each -> !each.isEmpty());
  }

  static String said(@Nullable String text) {
    return text == null ? "" : text;
  }
}
