package dev.sluice.kubernetes;

import dev.sluice.kubernetes.ContainerFacts.State;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.PlatformReading.Asked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** From facts about a pod to what the planner reads. A pure function. */
final class PodReading {

  /** Reasons why a container waits that are no failure. Whatever else a kubelet says is one. */
  private static final Set<String> ON_ITS_WAY = Set.of("", "ContainerCreating", "PodInitializing");

  private static final String UNTOLD = "";

  private final PodFacts pod;
  private final Optional<OwnerFacts> owner;
  private final List<BudgetFacts> budgets;
  private final Optional<NodeFacts> node;
  private final FirstSeen seen;

  /** When a request to restart whose time nobody tells was first seen. */
  @FunctionalInterface
  interface FirstSeen {
    Instant of(String uid, String annotation, String value);
  }

  private PodReading(
      PodFacts pod,
      Optional<OwnerFacts> owner,
      List<BudgetFacts> budgets,
      Optional<NodeFacts> node,
      FirstSeen seen) {
    this.pod = pod;
    this.owner = owner;
    this.budgets = budgets;
    this.node = node;
    this.seen = seen;
  }

  /**
   * Of a pod.
   *
   * @param budgets all that evictions respect; empty when pods are not evicted
   * @param node where it is, when that is not well
   */
  static PlatformReading of(
      PodFacts pod,
      Optional<OwnerFacts> owner,
      List<BudgetFacts> budgets,
      Optional<NodeFacts> node,
      FirstSeen seen) {
    return new PodReading(pod, owner, budgets, node, seen).read();
  }

  /**
   * Of a server that has no pod.
   *
   * @param since when that was first seen
   */
  static PlatformReading absent(Instant since, String why) {
    return new PlatformReading(Phase.ABSENT, since, false, why, UNTOLD, UNTOLD, List.of());
  }

  private PlatformReading read() {
    Phase phase = phase();
    Instant since = since(phase);
    Optional<String> desired = owner.flatMap(known -> known.revisionOf(pod.name(), revision()));
    return new PlatformReading(
        phase,
        since,
        phase == Phase.RUNNING && pod.ready(),
        why(phase),
        desired.isPresent() ? revision() : UNTOLD,
        desired.orElse(UNTOLD),
        asked(since),
        forbidden(phase));
  }

  // --- the phase

  private Phase phase() {
    if (pod.running()) {
      return Phase.RUNNING;
    }
    boolean stuck =
        pod.deletion().isEmpty()
            && !ended()
            && (pod.unscheduled().isPresent() || failing().isPresent());
    return stuck ? Phase.CANNOT_START : Phase.PENDING;
  }

  /** A pod that is over: its controller makes another one. */
  private boolean ended() {
    return pod.phase().equals("Failed") || pod.phase().equals("Succeeded");
  }

  /** The container that the kubelet cannot start. */
  private Optional<ContainerFacts> failing() {
    List<ContainerFacts> all = new ArrayList<>(pod.init());
    all.add(pod.server());
    return all.stream()
        .filter(
            each ->
                each.state() instanceof State.Waiting(String reason, _)
                    && !ON_ITS_WAY.contains(reason))
        .findFirst();
  }

  /**
   * The process of a running pod by its container. What does not run is told apart by its pod, so
   * that a container that crashes over and over remains one thing that does not start.
   */
  private Instant since(Phase phase) {
    if (pod.server().state() instanceof State.Running(Instant since) && phase == Phase.RUNNING) {
      return since;
    }
    if (pod.deletion().isPresent()) {
      return pod.deletion().get();
    }
    Instant ended =
        pod.server().state() instanceof State.Ended(var how)
            ? how.at()
            : pod.server().last().map(ContainerFacts.Termination::at).orElse(Instant.EPOCH);
    return phase == Phase.PENDING && ended.isAfter(pod.created()) ? ended : pod.created();
  }

  private String why(Phase phase) {
    if (phase == Phase.RUNNING) {
      return pod.ready() ? "" : join(unready(), lastEnd());
    }
    if (pod.deletion().isPresent()) {
      return join("pod %s is being deleted".formatted(pod.name()), state());
    }
    if (pod.unscheduled().isPresent()) {
      var cause = pod.unscheduled().get();
      return "pod %s has no node%s%s"
          .formatted(pod.name(), Text.inBrackets(cause.reason()), Text.afterColon(cause.message()));
    }
    if (ended()) {
      return "pod %s is over: %s%s%s"
          .formatted(
              pod.name(),
              pod.phase(),
              Text.inBrackets(pod.reason()),
              Text.afterColon(pod.message()));
    }
    return join("pod " + pod.name() + " is " + pod.phase(), state());
  }

  /** It may be another container, or a gate of somebody else, that is not ready. */
  private String unready() {
    return pod.unready()
        .map(cause -> Text.inBrackets(cause.reason()) + Text.afterColon(cause.message()))
        .map(why -> "pod %s is not ready%s".formatted(pod.name(), why))
        .orElse("pod %s is not ready".formatted(pod.name()));
  }

  private String state() {
    ContainerFacts container = failing().orElse(pod.server());
    String said =
        switch (container.state()) {
          case State.Waiting(String reason, String message) ->
              "container %s waits%s%s"
                  .formatted(container.name(), Text.inBrackets(reason), Text.afterColon(message));
          case State.Running(Instant since) ->
              "container %s runs since %s".formatted(container.name(), since);
          case State.Ended(var how) ->
              "container %s: %s".formatted(container.name(), how.sentence());
          case State.Untold _ -> "";
        };
    return join(said, container.last().map(last -> last(container, last)).orElse(""));
  }

  private String lastEnd() {
    return pod.server().last().map(last -> last(pod.server(), last)).orElse("");
  }

  private static String last(ContainerFacts container, ContainerFacts.Termination last) {
    return "restarted %d times, before that %s".formatted(container.restarts(), last.sentence());
  }

  private String join(String one, String other) {
    String said = other.isEmpty() ? one : one.isEmpty() ? other : one + "; " + other;
    return node.isEmpty() || said.contains(node.get().sentence())
        ? said
        : said + "; " + node.get().sentence();
  }

  // --- what it is restarted for

  private String revision() {
    return owner.isPresent() && owner.get().kind().equals(Kinds.STATEFUL_SET)
        ? pod.labels().getOrDefault(Annotations.STATEFUL_SET_REVISION, UNTOLD)
        : pod.annotations().getOrDefault(Annotations.STRIMZI_REVISION, UNTOLD);
  }

  private List<Asked> asked(Instant since) {
    List<Asked> asked = new ArrayList<>();
    for (Restarts.Request request : Restarts.of(pod.annotations())) {
      // It goes with the pod: as long as it is there, it is not done.
      Instant told = pod.annotated().getOrDefault(request.annotation(), pod.created());
      asked.add(
          new Asked(
              PlatformReading.Kind.BY_HAND,
              request.sentence("pod " + pod.name()),
              told.isAfter(since) ? told : since));
    }
    owner.ifPresent(
        known -> {
          for (Restarts.Request request : Restarts.of(known.annotations())) {
            asked.add(
                new Asked(
                    PlatformReading.Kind.BY_HAND,
                    request.sentence(known.kind() + " " + known.name()),
                    Restarts.at(known, request, seen)));
          }
        });
    return asked;
  }

  // --- what forbids it

  private Optional<String> forbidden(Phase phase) {
    if (pod.owner().isEmpty()) {
      return Optional.of(
          "pod "
              + pod.name()
              + " has no controller that would make it again; run it as a StatefulSet");
    }
    Optional<String> byOwner = owner.isEmpty() ? unseen() : owner.get().forbidden();
    if (byOwner.isPresent()) {
      return byOwner;
    }
    return phase == Phase.RUNNING && pod.ready() ? byBudget() : Optional.empty();
  }

  /** Of owners of other kinds nothing is known but that they make their pods again. */
  private Optional<String> unseen() {
    if (pod.ofStrimzi()) {
      return Optional.of(
          "expected the StrimziPodSet of pod %s by the pod's label strimzi.io/cluster, found none; Strimzi's operator may restart it itself"
              .formatted(pod.name()));
    }
    return pod.ofStatefulSet()
        ? Optional.of(
            "expected the StatefulSet of pod %s, found that it is gone or was made anew; wait until one has the pod"
                .formatted(pod.name()))
        : Optional.empty();
  }

  private Optional<String> byBudget() {
    List<BudgetFacts> about =
        budgets.stream().filter(budget -> budget.selector().matches(pod.labels())).toList();
    if (about.size() > 1) {
      return Optional.of(
          "%d disruption budgets are about pod %s (%s), and an eviction respects one at most; leave one"
              .formatted(
                  about.size(),
                  pod.name(),
                  String.join(", ", about.stream().map(BudgetFacts::name).toList())));
    }
    return about.stream()
        .filter(budget -> budget.allowed() <= 0)
        .map(BudgetFacts::sentence)
        .findFirst();
  }
}
