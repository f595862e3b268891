package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.ContainerFacts.State;
import dev.sluice.kubernetes.ContainerFacts.Termination;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From facts to readings, by tables. */
class PodReadingTest {

  private static final Instant CREATED = Instant.parse("2026-01-01T10:00:00Z");
  private static final Instant STARTED = Instant.parse("2026-01-01T10:00:20Z");
  private static final Instant LATER = Instant.parse("2026-01-01T11:00:00Z");
  private static final Instant SEEN = Instant.parse("2026-01-01T12:00:00Z");
  private static final State RUNS = new State.Running(STARTED);
  private static final Termination KILLED = new Termination(137, "OOMKilled", "", LATER);

  @ParameterizedTest(name = "{0}")
  @MethodSource("phases")
  void a_pod_has_the_phase_that_its_parts_show(
      String what, PodFacts pod, Phase phase, Instant since, boolean ready, String why) {
    PlatformReading reading = read(pod, owner());

    assertThat(reading.phase()).isEqualTo(phase);
    assertThat(reading.since()).isEqualTo(since);
    assertThat(reading.ready()).isEqualTo(ready);
    assertThat(reading.why()).contains(why);
  }

  static Stream<Arguments> phases() {
    return Stream.of(
        row("runs and is ready", pod(), Phase.RUNNING, STARTED, true, ""),
        row(
            "runs and is not ready",
            pod().ready(false),
            Phase.RUNNING,
            STARTED,
            false,
            "not ready"),
        row(
            "runs beside a container that is not ready",
            pod().unready("ContainersNotReady", "containers with unready status: [exporter]"),
            Phase.RUNNING,
            STARTED,
            false,
            "pod kafka-0 is not ready (ContainersNotReady): containers with unready status: [exporter]"),
        row(
            "was restarted in place",
            pod().ready(false).last(KILLED),
            Phase.RUNNING,
            STARTED,
            false,
            "status 137 (OOMKilled)"),
        row(
            "is being deleted",
            pod().deletion(LATER),
            Phase.PENDING,
            LATER,
            false,
            "is being deleted"),
        row(
            "waits for its container",
            pod().phase("Pending").state(new State.Waiting("ContainerCreating", "")),
            Phase.PENDING,
            CREATED,
            false,
            "ContainerCreating"),
        row(
            "was just made",
            pod().phase("Pending").state(new State.Untold()),
            Phase.PENDING,
            CREATED,
            false,
            "is Pending"),
        row(
            "cannot be scheduled",
            pod()
                .phase("Pending")
                .state(new State.Untold())
                .unscheduled("0/3 nodes are available: 3 Insufficient memory."),
            Phase.CANNOT_START,
            CREATED,
            false,
            "0/3 nodes are available"),
        row(
            "cannot fetch its image",
            pod().phase("Pending").state(new State.Waiting("ImagePullBackOff", "no such image")),
            Phase.CANNOT_START,
            CREATED,
            false,
            "(ImagePullBackOff): no such image"),
        row(
            "has a name of an image that is none",
            pod().phase("Pending").state(new State.Waiting("InvalidImageName", "")),
            Phase.CANNOT_START,
            CREATED,
            false,
            "InvalidImageName"),
        row(
            "waits for a reason that nobody has heard of",
            pod().phase("Pending").state(new State.Waiting("SomethingOfALaterVersion", "")),
            Phase.CANNOT_START,
            CREATED,
            false,
            "SomethingOfALaterVersion"),
        row(
            "crashes over and over",
            pod().state(new State.Waiting("CrashLoopBackOff", "back-off")).last(KILLED),
            Phase.CANNOT_START,
            CREATED,
            false,
            "before that it ended at " + LATER + " with status 137"),
        row(
            "ended and is not yet started again",
            pod().state(new State.Ended(KILLED)),
            Phase.PENDING,
            LATER,
            false,
            "status 137"),
        row(
            "has an init container that fails",
            pod()
                .phase("Pending")
                .state(new State.Waiting("PodInitializing", ""))
                .init(new State.Waiting("CrashLoopBackOff", "")),
            Phase.CANNOT_START,
            CREATED,
            false,
            "container init waits (CrashLoopBackOff)"),
        row(
            "was evicted by its node",
            pod().phase("Failed").reason("Evicted").state(new State.Ended(KILLED)),
            Phase.PENDING,
            LATER,
            false,
            "Failed (Evicted)"));
  }

  @Test
  void a_node_that_is_not_ready_is_told() {
    var node = new NodeFacts("n1", LATER, "NodeStatusUnknown", "Kubelet stopped posting");
    var reading =
        PodReading.of(
            pod().ready(false).facts(),
            Optional.of(owner()),
            List.of(),
            Optional.of(node),
            SEEN_AT);

    assertThat(reading.why()).contains("its node n1 is not ready since " + LATER);
  }

  @Test
  void a_revision_is_compared_with_what_the_owner_wants() {
    var reading = read(pod().label(Annotations.STATEFUL_SET_REVISION, "kafka-a").facts(), owner());

    assertThat(reading.revisionRunning()).isEqualTo("kafka-a");
    assertThat(reading.revisionDesired()).isEqualTo("kafka-b");
  }

  @Test
  void a_revision_of_strimzi_is_an_annotation_of_each_pod() {
    var owner = podSet(Map.of("kafka-0", "r2"));
    var reading = read(pod().annotation(Annotations.STRIMZI_REVISION, "r1").facts(), owner);

    assertThat(reading.revisionRunning()).isEqualTo("r1");
    assertThat(reading.revisionDesired()).isEqualTo("r2");
  }

  @Test
  void an_owner_that_tells_no_revision_is_no_reason() {
    var reading = read(pod().label(Annotations.STATEFUL_SET_REVISION, "a").facts(), silent());

    assertThat(reading.revisionRunning()).isEqualTo(reading.revisionDesired());
  }

  @Test
  void a_request_on_a_pod_lasts_as_long_as_the_pod() {
    var reading = read(pod().annotation(Annotations.MANUAL_ROLL, "true").facts(), owner());

    assertThat(reading.asked()).hasSize(1);
    assertThat(reading.asked().getFirst().at()).isEqualTo(STARTED);
    assertThat(reading.asked().getFirst().detail())
        .contains("manual-rolling-update of pod kafka-0");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void a_request_on_an_owner_has_the_time_that_is_known_best(
      String annotation, String value, Map<String, Instant> written, Instant at) {
    var owner = owner(Map.of(annotation, value), written);

    assertThat(read(pod().facts(), owner).asked())
        .singleElement()
        .satisfies(asked -> assertThat(asked.at()).isEqualTo(at));
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        Arguments.of(Annotations.RESTART, "2026-01-01T11:00:00Z", Map.of(), LATER),
        Arguments.of(Annotations.RESTART, "new disks", Map.of(Annotations.RESTART, LATER), LATER),
        Arguments.of(
            Annotations.MANUAL_ROLL, "true", Map.of(Annotations.MANUAL_ROLL, LATER), LATER),
        Arguments.of(Annotations.MANUAL_ROLL, "true", Map.of(), SEEN));
  }

  @Test
  void what_asks_for_nothing_is_no_request() {
    var owner =
        owner(Map.of(Annotations.MANUAL_ROLL, "false", Annotations.RESTART, "false"), Map.of());

    assertThat(read(pod().facts(), owner).asked()).isEmpty();
  }

  @Test
  void a_budget_that_allows_nothing_forbids_and_says_so() {
    var budget =
        new BudgetFacts(
            "kafka", new BudgetFacts.Selector(Map.of("app", "kafka"), List.of()), 0, 2, 2);

    assertThat(forbidden(pod().facts(), List.of(budget)))
        .hasValue(
            "the disruption budget kafka allows no eviction now: 2 of its pods are well and 2 have to be");
    assertThat(forbidden(pod().ready(false).facts(), List.of(budget)))
        .as("a pod that is not ready disrupts nothing")
        .isEmpty();
  }

  @Test
  void two_budgets_for_one_pod_forbid_it() {
    var one =
        new BudgetFacts("a", new BudgetFacts.Selector(Map.of("app", "kafka"), List.of()), 1, 3, 2);
    var any = new BudgetFacts.Expression("app", "Exists", List.of());
    var other = new BudgetFacts("b", new BudgetFacts.Selector(Map.of(), List.of(any)), 1, 3, 2);

    assertThat(forbidden(pod().facts(), List.of(one, other)).orElse("")).contains("a, b");
  }

  @Test
  void a_budget_of_other_pods_does_not_matter() {
    var others = new BudgetFacts.Expression("app", "NotIn", List.of("kafka"));
    var budget = new BudgetFacts("a", new BudgetFacts.Selector(Map.of(), List.of(others)), 0, 0, 1);

    assertThat(forbidden(pod().facts(), List.of(budget))).isEmpty();
  }

  @Test
  void a_pod_that_nobody_would_make_again_is_not_ended() {
    assertThat(read(pod().orphan().facts(), silent()).forbidden().orElse(""))
        .contains("no controller that would make it again");
  }

  @Test
  void a_pod_whose_stateful_set_is_gone_is_not_ended() {
    assertThat(unowned(new PodFacts.Owner("apps/v1", Kinds.STATEFUL_SET, "kafka", "old")))
        .hasValueSatisfying(why -> assertThat(why).contains("gone or was made anew"));
    assertThat(unowned(new PodFacts.Owner("core.strimzi.io/v1", Kinds.STRIMZI_POD_SET, "k", "o")))
        .hasValueSatisfying(why -> assertThat(why).contains("expected the StrimziPodSet"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CloneSet", Kinds.STATEFUL_SET})
  void whatever_else_makes_pods_again_may_have_them_ended(String kind) {
    assertThat(unowned(new PodFacts.Owner("apps.kruise.io/v1beta1", kind, "kafka", "c-1")))
        .isEmpty();
  }

  private static Optional<String> unowned(PodFacts.Owner owner) {
    var pod = pod().owner(owner).facts();
    return PodReading.of(pod, Optional.empty(), List.of(), Optional.empty(), SEEN_AT).forbidden();
  }

  @Test
  void an_owner_that_is_not_ours_to_act_on_forbids() {
    var owner = owner().withForbidden(Optional.of("pause it"));

    assertThat(read(pod().facts(), owner).forbidden()).hasValue("pause it");
  }

  @Test
  void strimzi_must_be_paused() {
    assertThat(StrimziGuard.forbids("blue", "ns", Optional.of(Map.of())).orElse(""))
        .contains("kubectl annotate kafka blue -n ns strimzi.io/pause-reconciliation=true");
    assertThat(StrimziGuard.forbids("blue", "ns", Optional.empty())).isPresent();
    assertThat(StrimziGuard.forbids("blue", "ns", Optional.of(Map.of(Annotations.PAUSED, "true"))))
        .isEmpty();
  }

  // --- fixtures

  private static final PodReading.FirstSeen SEEN_AT = (_, _, _) -> SEEN;

  private static PlatformReading read(PodFacts pod, OwnerFacts owner) {
    return PodReading.of(pod, Optional.of(owner), List.of(), Optional.empty(), SEEN_AT);
  }

  private static Optional<String> forbidden(PodFacts pod, List<BudgetFacts> budgets) {
    return PodReading.of(pod, Optional.of(owner()), budgets, Optional.empty(), SEEN_AT).forbidden();
  }

  private static Arguments row(
      String what, PodBuilding pod, Phase phase, Instant since, boolean ready, String why) {
    return Arguments.of(what, pod.facts(), phase, since, ready, why);
  }

  private static PodBuilding pod() {
    return new PodBuilding();
  }

  private static OwnerFacts owner() {
    return owner(Map.of(), Map.of());
  }

  private static OwnerFacts owner(Map<String, String> annotations, Map<String, Instant> written) {
    return new OwnerFacts(
        "apps/v1",
        Kinds.STATEFUL_SET,
        "kafka",
        "owner-1",
        new TreeMap<>(),
        new TreeMap<>(),
        Optional.of("kafka-b"),
        Optional.empty(),
        annotations,
        written);
  }

  private static OwnerFacts podSet(Map<String, String> revisions) {
    return new OwnerFacts(
        "core.strimzi.io/v1beta2",
        Kinds.STRIMZI_POD_SET,
        "kafka",
        "owner-1",
        new TreeMap<>(),
        new TreeMap<>(revisions),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of());
  }

  private static OwnerFacts silent() {
    return podSet(Map.of());
  }

  /** A pod that runs well, unless told otherwise. */
  private static final class PodBuilding {
    private Optional<Instant> deletion = Optional.empty();
    private String phase = "Running";
    private String reason = "";
    private Optional<PodFacts.Cause> unscheduled = Optional.empty();
    private boolean ready = true;
    private Optional<PodFacts.Cause> unready = Optional.empty();
    private List<ContainerFacts> init = List.of();
    private State state = RUNS;
    private Optional<Termination> last = Optional.empty();
    private Optional<PodFacts.Owner> owner =
        Optional.of(new PodFacts.Owner("apps/v1", Kinds.STATEFUL_SET, "kafka", "owner-1"));
    private final Map<String, String> labels = new TreeMap<>(Map.of("app", "kafka"));
    private final Map<String, String> annotations = new TreeMap<>();

    PodBuilding deletion(Instant at) {
      deletion = Optional.of(at);
      return this;
    }

    PodBuilding phase(String name) {
      phase = name;
      ready = name.equals("Running");
      return this;
    }

    PodBuilding reason(String said) {
      reason = said;
      return this;
    }

    PodBuilding unscheduled(String message) {
      unscheduled = Optional.of(new PodFacts.Cause("Unschedulable", message));
      return this;
    }

    PodBuilding ready(boolean is) {
      ready = is;
      return this;
    }

    PodBuilding unready(String reason, String message) {
      unready = Optional.of(new PodFacts.Cause(reason, message));
      return ready(false);
    }

    PodBuilding init(State is) {
      init = List.of(new ContainerFacts("init", is, Optional.empty(), 0));
      return this;
    }

    PodBuilding state(State is) {
      state = is;
      ready = false;
      return this;
    }

    PodBuilding last(Termination how) {
      last = Optional.of(how);
      return this;
    }

    PodBuilding owner(PodFacts.Owner other) {
      owner = Optional.of(other);
      return this;
    }

    PodBuilding orphan() {
      owner = Optional.empty();
      return this;
    }

    PodBuilding label(String key, String value) {
      labels.put(key, value);
      return this;
    }

    PodBuilding annotation(String key, String value) {
      annotations.put(key, value);
      return this;
    }

    PodFacts facts() {
      return new PodFacts(
          "kafka-0",
          "pod-1",
          CREATED,
          deletion,
          phase,
          reason,
          "",
          "n1",
          unscheduled,
          ready,
          unready,
          init,
          new ContainerFacts("kafka", state, last, last.isPresent() ? 1 : 0),
          owner,
          labels,
          annotations,
          Map.of());
    }
  }
}
