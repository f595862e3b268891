package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.kubernetes.SimKubelet.Fate;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.Outcome;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the ordinary run sees of whole rolls of pods. With real servers: {@code PodRollIT}. */
class PodRollTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<String> PODS = List.of("kafka-0", "kafka-1", "kafka-2");

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient client = server.client();
  private final SimKubelet kubelet = new SimKubelet(client, SimKubelet.Processes.NONE);

  @BeforeEach
  void three_brokers_run_and_another_revision_is_wanted() {
    kubelet.set("kafka", PODS.size(), "broker");
    await("they are made, and ready")
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(ready()).containsExactlyElementsOf(PODS));
  }

  @AfterEach
  void end() {
    kubelet.close();
    client.close();
    server.close();
  }

  @Test
  void pods_of_another_revision_are_made_anew_one_after_another() throws Exception {
    kubelet.revise("kafka", "two");

    var outcome = PodRoll.of(api(), settings());

    assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Finished.class);
    assertThat(PODS).allSatisfy(pod -> assertThat(kubelet.made(pod)).isEqualTo(2));
    assertThat(ready()).containsExactlyElementsOf(PODS);
    assertThat(events("RollRestart")).as("one at each pod, one at its owner").hasSize(6);
  }

  @Test
  void a_roll_whose_lease_is_taken_stops_after_the_step_under_way_and_another_ends_it()
      throws Exception {
    takenAndEnded(new LeaseThief(client, PodRoll.Step.ACTED, 1));
  }

  @Tag("acceptance")
  @RepeatedTest(20)
  void a_lease_may_be_taken_at_any_step() throws Exception {
    long seed = System.nanoTime();
    var thief = LeaseThief.random(client, seed);
    System.out.println(thief + ", by seed " + seed);
    takenAndEnded(thief);
  }

  @ParameterizedTest
  @MethodSource
  void a_pod_that_does_not_start_halts_the_roll_and_goes_first_once_that_is_mended(
      Fate fate, String said) throws Exception {
    PODS.forEach(pod -> kubelet.fateOfNext(pod, fate));
    kubelet.revise("kafka", "two");

    var outcome = PodRoll.of(api(), settings());

    assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Halted.class);
    assertThat(outcome.sentence()).contains(said);
    assertThat(PODS.stream().filter(pod -> kubelet.made(pod) > 1)).hasSize(1);
    assertThat(ready()).hasSize(2);
    assertThat(events("RollHalted")).singleElement().asString().contains(said);

    String stuck = PODS.stream().filter(pod -> kubelet.made(pod) > 1).findFirst().orElseThrow();
    PODS.forEach(pod -> kubelet.fateOfNext(pod, new Fate.Runs()));
    kubelet.revise("kafka", "three");

    var mended = PodRoll.of(api(), settings());

    assertThat(mended).as(mended.sentence()).isInstanceOf(Outcome.Finished.class);
    assertThat(ready()).containsExactlyElementsOf(PODS);
    assertThat(PODS)
        .allSatisfy(pod -> assertThat(kubelet.made(pod)).isEqualTo(pod.equals(stuck) ? 3 : 2));
    assertThat(restarted().subList(0, 2)).containsExactly(stuck, stuck);
  }

  static Stream<Arguments>
      a_pod_that_does_not_start_halts_the_roll_and_goes_first_once_that_is_mended() {
    return Stream.of(
        Arguments.of(
            new Fate.Unschedulable("0/3 nodes are available: 3 Insufficient memory."),
            "0/3 nodes are available: 3 Insufficient memory."),
        Arguments.of(
            new Fate.Waits("ImagePullBackOff", "Back-off pulling image"),
            "(ImagePullBackOff): Back-off pulling image"),
        Arguments.of(new Fate.Crashes(1, "log.dirs is not writable"), "log.dirs is not writable"));
  }

  // --- words of the tests

  private List<String> ready() {
    return client.pods().inNamespace(SimKubelet.NAMESPACE).list().getItems().stream()
        .filter(
            pod ->
                pod.getStatus() != null
                    && pod.getStatus().getConditions().stream()
                        .anyMatch(
                            each ->
                                each.getType().equals("Ready") && each.getStatus().equals("True")))
        .map(pod -> pod.getMetadata().getName())
        .sorted()
        .toList();
  }

  private void takenAndEnded(LeaseThief thief) throws Exception {
    kubelet.revise("kafka", "two");

    var outcome = PodRoll.as("first", api(), settings(), thief);

    assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Stopped.class);
    assertThat(outcome.sentence()).contains("the lease of this cluster was lost: thief took it");
    assertThat(PODS.stream().filter(pod -> kubelet.made(pod) > 1))
        .as("%s", thief)
        .hasSize(thief.rightful());

    var end = PodRoll.as(LeaseThief.NAME, api(), settings(), _ -> {});

    assertThat(end).as("%s: %s", thief, end.sentence()).isInstanceOf(Outcome.Finished.class);
    assertThat(PODS).allSatisfy(pod -> assertThat(kubelet.made(pod)).as("%s", thief).isEqualTo(2));
  }

  /** The pods that events of restarts are about, in their order. */
  private List<String> restarted() {
    return client.v1().events().inNamespace(SimKubelet.NAMESPACE).list().getItems().stream()
        .filter(event -> event.getReason().equals("RollRestart"))
        .filter(event -> event.getInvolvedObject().getKind().equals("Pod"))
        .sorted(Comparator.comparingLong(PodRollTest::written))
        .map(event -> event.getInvolvedObject().getName())
        .toList();
  }

  private static long written(Event event) {
    return Long.parseLong(event.getMetadata().getResourceVersion());
  }

  private List<String> events(String reason) {
    return client.v1().events().inNamespace(SimKubelet.NAMESPACE).list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .map(Event::getMessage)
        .toList();
  }

  private Api api() {
    return new Api(client, SimKubelet.NAMESPACE);
  }

  private static KubernetesSettings settings() {
    var brokers =
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka", "role", "broker")),
            Set.of(Role.BROKER),
            new PodSelection.NodeId.Ordinal(0));
    return new KubernetesSettings(
        Optional.empty(),
        Optional.empty(),
        List.of(brokers),
        "kafka",
        Action.EVICT,
        Optional.empty());
  }
}
