package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** From a StatefulSet to facts about it. */
final class StatefulSets {

  private final StatefulSet set;
  private final String name;
  private final Optional<StatefulSetStatus> status;

  /** Its controller has seen what it is now. */
  private final boolean current;

  private final int replicas;
  private final boolean onDelete;

  /** So many of its first pods are kept from updates; 0 when it is not said. */
  private final int partition;

  private StatefulSets(StatefulSet set) {
    this.set = set;
    this.name = set.getMetadata().getName();
    this.status = Optional.ofNullable(set.getStatus());
    long seen = status.map(StatefulSetStatus::getObservedGeneration).orElse(0L);
    this.current = seen >= requireNonNullElse(set.getMetadata().getGeneration(), 0L);
    this.replicas = requireNonNullElse(set.getSpec().getReplicas(), 1);
    var strategy = set.getSpec().getUpdateStrategy();
    this.onDelete = strategy != null && "OnDelete".equals(strategy.getType());
    var rolling = strategy == null ? null : strategy.getRollingUpdate();
    this.partition = rolling == null ? 0 : requireNonNullElse(rolling.getPartition(), 0);
  }

  static OwnerFacts facts(StatefulSet set) {
    return new StatefulSets(set).facts();
  }

  private OwnerFacts facts() {
    var meta = set.getMetadata();
    return new OwnerFacts(
        "apps/v1",
        Kinds.STATEFUL_SET,
        name,
        Translation.said(meta.getUid()),
        members(),
        keptBack(),
        current ? revision(StatefulSetStatus::getUpdateRevision) : Optional.empty(),
        rolledByItself(),
        requireNonNullElse(meta.getAnnotations(), Map.of()),
        Translation.annotated(meta));
  }

  private SortedMap<String, Map<String, String>> members() {
    var template = set.getSpec().getTemplate();
    Map<String, String> labels =
        template == null || template.getMetadata() == null
            ? Map.of()
            : requireNonNullElse(template.getMetadata().getLabels(), Map.of());
    SortedMap<String, Map<String, String>> members = new TreeMap<>();
    for (int i = 0; i < replicas; i++) {
      members.put(pod(i), labels);
    }
    return members;
  }

  private String pod(int index) {
    var ordinals = set.getSpec().getOrdinals();
    int first = ordinals == null ? 0 : requireNonNullElse(ordinals.getStart(), 0);
    return name + "-" + (first + index);
  }

  /**
   * Pods below the partition of a rolling update: whoever ends one gets another of the revision
   * before, so that this is what it should have.
   */
  private SortedMap<String, String> keptBack() {
    SortedMap<String, String> kept = new TreeMap<>();
    Optional<String> before = revision(StatefulSetStatus::getCurrentRevision);
    for (int i = 0; i < Math.min(partition, replicas) && current && !onDelete; i++) {
      String pod = pod(i);
      before.ifPresent(revision -> kept.put(pod, revision));
    }
    return kept;
  }

  private Optional<String> revision(Function<StatefulSetStatus, String> ofStatus) {
    return status.flatMap(each -> Translation.present(ofStatus.apply(each)));
  }

  /** One that rolls its pods itself, and one whose controller is behind. */
  private Optional<String> rolledByItself() {
    if (!current) {
      return Optional.of(
          "the controller of StatefulSet " + name + " has not seen its latest definition yet");
    }
    Optional<String> wanted = revision(StatefulSetStatus::getUpdateRevision);
    boolean differs =
        wanted.isPresent() && !wanted.equals(revision(StatefulSetStatus::getCurrentRevision));
    return onDelete || !differs || partition >= replicas
        ? Optional.empty()
        : Optional.of(
            "StatefulSet %s rolls its pods itself; let it not: kubectl patch statefulset %s -n %s -p '{\"spec\":{\"updateStrategy\":{\"type\":\"OnDelete\",\"rollingUpdate\":null}}}'"
                .formatted(name, name, set.getMetadata().getNamespace()));
  }
}
