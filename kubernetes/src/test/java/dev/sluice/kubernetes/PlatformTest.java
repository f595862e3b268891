package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.kubernetes.SimKubelet.Fate;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The platform against an API server that keeps objects, and a controller that does as told. */
class PlatformTest {

  private static final ServerSpec FIRST = spec(0);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Far more than there are moments in the time that they take. */
  private static final int LOOKS = 300;

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient client = server.client();
  private final SimKubelet kubelet = new SimKubelet(client, SimKubelet.Processes.NONE);
  private boolean held = true;

  @BeforeEach
  void three_brokers_run() throws Exception {
    kubelet.set("kafka", 3, "broker");
    for (int id = 0; id < 3; id++) {
      awaitReading(spec(id), PlatformReading::ready);
    }
  }

  @AfterEach
  void end() {
    kubelet.close();
    client.close();
    server.close();
  }

  @Test
  void servers_are_those_that_have_a_pod_and_those_that_should() throws Exception {
    kubelet.fate("kafka-1", new Fate.NotMade());
    client.pods().inNamespace(SimKubelet.NAMESPACE).withName("kafka-1").delete();

    assertThat(reader(Action.EVICT).read().servers())
        .extracting(ServerSpec::id)
        .containsExactly(0, 1, 2);
    PlatformReading reading = platform(Action.EVICT).look(spec(1));
    assertThat(reading.phase()).isEqualTo(Phase.ABSENT);
    assertThat(reading.why()).isEqualTo("StatefulSet kafka has not made its pod");
  }

  @Test
  void an_eviction_brings_another_pod_of_the_desired_revision() throws Exception {
    kubelet.revise("kafka", "two");
    var before = awaitReading(FIRST, PodsDiffer::inRevision);

    platform(Action.EVICT).restart(FIRST, Optional.of(before.since()));

    var after = awaitReading(FIRST, reading -> reading.ready() && !PodsDiffer.inRevision(reading));
    assertThat(after.revisionRunning()).isEqualTo("kafka-two");
    assertThat(after.since()).isAfter(before.since());
    assertThat(kubelet.made("kafka-0")).isEqualTo(2);
    assertThat(server.requests()).anyMatch(each -> each.endsWith("/pods/kafka-0/eviction"));
  }

  @Test
  void a_restart_asked_for_twice_happens_once() throws Exception {
    var process = Optional.of(platform(Action.DELETE).look(FIRST).since());

    platform(Action.DELETE).restart(FIRST, process);
    awaitReading(FIRST, reading -> reading.ready() && !reading.since().equals(process.get()));
    platform(Action.DELETE).restart(FIRST, process);

    assertThat(kubelet.made("kafka-0")).isEqualTo(2);
  }

  @Test
  void evictions_are_asked_for_as_old_servers_know_them() throws Exception {
    server.knowsEvictionsOf("v1beta1");

    platform(Action.EVICT).restart(FIRST, Optional.empty());

    assertThat(kubelet.made("kafka-0")).isEqualTo(2);
  }

  @Test
  void a_refused_eviction_is_asked_again_and_told() throws Exception {
    server.forbidEvictions("Cannot evict pod as it would violate the pod's disruption budget.");
    var pod = reader(Action.EVICT).read().podOf(0).orElseThrow();
    var patience = new Eviction.Patience(Duration.ofSeconds(1), Duration.ofMillis(100));

    assertThatThrownBy(() -> new Eviction(api(), () -> held, patience).of(pod))
        .hasMessageContaining("no eviction of pod kafka-0 was allowed for 1s")
        .hasMessageContaining("disruption budget");
    assertThat(server.requests().stream().filter(each -> each.endsWith("/eviction")).count())
        .isGreaterThan(1);
    assertThat(kubelet.made("kafka-0")).isEqualTo(1);
  }

  @Test
  void a_budget_that_allows_nothing_is_seen_before_anything_is_asked_for() throws Exception {
    client
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName("kafka-budget")
                .withNamespace(SimKubelet.NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "kafka")
                .endSelector()
                .endSpec()
                .withNewStatus()
                .withDisruptionsAllowed(0)
                .withCurrentHealthy(3)
                .withDesiredHealthy(3)
                .withExpectedPods(3)
                .endStatus()
                .build())
        .create();

    assertThat(platform(Action.EVICT).look(FIRST).forbidden().orElse(""))
        .contains("kafka-budget allows no eviction now");
    assertThat(platform(Action.DELETE).look(FIRST).forbidden()).isEmpty();
  }

  @Test
  void nothing_is_ended_without_the_lease() {
    held = false;

    assertThatThrownBy(() -> platform(Action.DELETE).restart(FIRST, Optional.empty()))
        .hasMessageContaining("found that it is lost; nothing was done");
    assertThat(kubelet.made("kafka-0")).isEqualTo(1);
  }

  @Test
  void a_permission_that_is_missing_is_named() {
    server.refuse("GET /api/v1/namespaces/kafka/pods", ApiException.FORBIDDEN, "no list for you");

    assertThatThrownBy(() -> platform(Action.EVICT).look(FIRST))
        .hasMessage(
            "expected the permission to list pods in namespace kafka, found that it is missing; grant it in a Role (no list for you)");
  }

  @Test
  void a_server_that_throttles_is_unknown_and_not_a_verdict() {
    server.refuse(
        "GET /api/v1/namespaces/kafka/pods", ApiException.TOO_MANY_REQUESTS, "too many requests");

    assertThatThrownBy(() -> platform(Action.EVICT).look(FIRST))
        .hasMessageContaining("did not list pods in namespace kafka: too many requests");
  }

  @Test
  void a_pod_that_does_not_start_tells_why_in_the_words_of_the_api() throws Exception {
    kubelet.fate("kafka-0", new Fate.Unschedulable("0/3 nodes are available: 3 too small."));
    client.pods().inNamespace(SimKubelet.NAMESPACE).withName("kafka-0").delete();

    assertThat(awaitReading(FIRST, reading -> reading.phase() == Phase.CANNOT_START).why())
        .contains("0/3 nodes are available: 3 too small.");
  }

  @Test
  void the_last_words_of_a_crashed_server_are_those_of_the_one_before() throws Exception {
    kubelet.fate("kafka-0", new Fate.Crashes(1, "log.dirs is not writable"));
    server.says("kafka-0", "one\ntwo\n");
    awaitReading(FIRST, reading -> reading.phase() == Phase.CANNOT_START);

    assertThat(platform(Action.EVICT).lastWords(FIRST, 10))
        .anyMatch(line -> line.contains("status 1 (Error): log.dirs is not writable"))
        .endsWith("one", "two");
    assertThat(server.requests()).anyMatch(each -> each.contains("previous=true"));
  }

  @Test
  void a_pod_that_goes_just_when_its_state_is_written_keeps_nobody_from_making_the_next()
      throws Exception {
    server.refuse(
        "GET /api/v1/namespaces/kafka/pods/kafka-0", ApiException.NOT_FOUND, "gone meanwhile");
    kubelet.fate("kafka-0", new Fate.NeverReady());
    await("its state was about to be written")
        .atMost(PATIENCE)
        .until(() -> kubelet.problem().isPresent());
    server.allow("GET /api/v1/namespaces/kafka/pods/kafka-0");

    platform(Action.DELETE).restart(FIRST, Optional.empty());

    assertThat(kubelet.made("kafka-0")).as(String.valueOf(kubelet.problem())).isEqualTo(2);
  }

  @Test
  void looks_at_all_servers_share_what_was_asked_for() throws Exception {
    var platform = platform(Action.EVICT);
    int before = server.requests().size();
    long began = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int look = 0; look < LOOKS; look++) {
        var spec = spec(look % 3);
        var _ = threads.submit(() -> platform.look(spec));
      }
    }

    long moments = Duration.ofNanos(System.nanoTime() - began).dividedBy(SnapshotReader.SHARED);
    assertThat(
            server.requests().subList(before, server.requests().size()).stream()
                .filter(each -> each.contains("labelSelector")))
        .as("lists of pods in %d moments", moments)
        .hasSizeBetween(1, Math.toIntExact(moments) + 1);
  }

  // --- words of the tests

  private static final class PodsDiffer {
    static boolean inRevision(PlatformReading reading) {
      return !reading.revisionRunning().equals(reading.revisionDesired());
    }
  }

  private PlatformReading awaitReading(ServerSpec spec, Predicate<PlatformReading> as) {
    return await("server " + spec.id())
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> platform(Action.EVICT).look(spec), as);
  }

  private KubernetesPlatform platform(Action action) {
    return new KubernetesPlatform(
        api(), reader(action), settings(action), () -> held, Clock.systemUTC());
  }

  private SnapshotReader reader(Action action) {
    return new SnapshotReader(api(), settings(action));
  }

  private Api api() {
    return new Api(client, SimKubelet.NAMESPACE);
  }

  private static KubernetesSettings settings(Action action) {
    var brokers =
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka", "role", "broker")),
            Set.of(Role.BROKER),
            new PodSelection.NodeId.Ordinal(0));
    return new KubernetesSettings(
        Optional.empty(), Optional.empty(), List.of(brokers), "kafka", action, Optional.empty());
  }

  private static ServerSpec spec(int id) {
    return new ServerSpec(id, Set.of(Role.BROKER), Optional.empty());
  }
}
