package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.Role;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an API server does to those who list and watch: it ends, forgets, throttles and forbids. */
class WatchTest {

  /** What is missed is found out after 35 seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final String PODS = "GET /api/v1/namespaces/kafka/pods?";
  private static final String WATCHES = "watch=true";
  private static final String LISTS = "pods?limit=500";
  private static final PodWatch.Pace SOON =
      new PodWatch.Pace(Duration.ofMillis(200), Duration.ofMillis(200));

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient admin = server.client();
  private final AtomicInteger wakings = new AtomicInteger();
  private Relay relay;
  private KubernetesClient client;
  private KubernetesCluster cluster;

  @BeforeEach
  void one_pod_is_there() throws Exception {
    relay = new Relay(URI.create(server.url()).getPort());
    client =
        KubernetesCluster.client(
            new ConfigBuilder(admin.getConfiguration())
                .withMasterUrl("http://127.0.0.1:" + relay.port())
                .withWatchReconnectInterval(50)
                .build());
    cluster = KubernetesCluster.of(client, settings());
    pod("kafka-0");
  }

  @AfterEach
  void end() throws Exception {
    cluster.close();
    admin.close();
    server.close();
    relay.close();
  }

  @Test
  void a_watch_whose_connection_ends_is_begun_again() throws Exception {
    try (var _ = cluster.watch(wakings::incrementAndGet)) {
      awaitWakings(1);
      pod("kafka-1");
      awaitWakings(
          2); // by then the watch stands: the mock stops for half a minute when it is cut before
      int watches = watches();
      relay.sever();
      await("another watch").atMost(PATIENCE).until(() -> watches() > watches);

      pod("kafka-2");

      awaitWakings(3);
    }
  }

  @Test
  void a_watch_that_falls_silent_is_found_out_and_begun_again() throws Exception {
    var hasty = new ConfigBuilder(client.getConfiguration()).withRequestTimeout(1_000).build();
    try (var over = KubernetesCluster.of(KubernetesCluster.client(hasty), settings());
        var _ = over.watch(wakings::incrementAndGet, SOON)) {
      awaitWakings(1);
      pod("kafka-1");
      awaitWakings(2);
      int before = watches();
      relay.silence();

      pod("kafka-2");

      await("it is begun again").atMost(PATIENCE).until(() -> watches() > before);
      awaitWakings(3);
    }
  }

  @Test
  void a_watch_that_lives_is_left_alone() throws Exception {
    var patient = new PodWatch.Pace(SOON.between(), Duration.ofSeconds(10));
    try (var _ = cluster.watch(wakings::incrementAndGet, patient)) {
      awaitWakings(1);
      await("it watches").atMost(PATIENCE).until(() -> watches() == 1);
      int lists = asked(LISTS);
      await("it is held against lists").atMost(PATIENCE).until(() -> asked(LISTS) > lists + 3);

      assertThat(watches()).isEqualTo(1);
    }
  }

  @Test
  void a_watch_that_is_too_old_lists_anew() throws Exception {
    server.answerNext(
        WATCHES,
        ApiException.GONE,
        Map.of(),
        SimApiServer.failure(410, "too old resource version"));
    try (var _ = cluster.watch(wakings::incrementAndGet)) {
      awaitWakings(1);
      await("lists anew, and watches").atMost(PATIENCE).until(() -> watches() > 1);

      pod("kafka-1");

      awaitWakings(2);
    }
  }

  @Test
  void a_watch_that_is_forbidden_for_a_while_stops_nothing() throws Exception {
    server.refuse(PODS, ApiException.FORBIDDEN, "no");
    try (var _ = cluster.watch(wakings::incrementAndGet)) {
      await("it asked").atMost(PATIENCE).until(() -> asked(PODS) > 0);
      assertThat(wakings).hasValue(0);
      server.allow(PODS);

      awaitWakings(1);
    }
  }

  @Test
  void a_list_that_the_server_has_forgotten_half_way_begins_again() throws Exception {
    server.answerNext(
        LISTS,
        200,
        Map.of(),
        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"continue\":\"next\"},\"items\":[]}");
    server.answerNext(
        "continue=next",
        ApiException.GONE,
        Map.of(),
        SimApiServer.failure(410, "the provided continue parameter is too old"));

    assertThat(api().list(Api.Kind.PODS, "app=kafka", PodList.class)).hasSize(1);
    assertThat(asked("continue=next")).isEqualTo(1);
  }

  @Test
  void a_server_that_throttles_is_asked_again_when_it_says() throws Exception {
    server.answerNext(
        PODS,
        ApiException.TOO_MANY_REQUESTS,
        Map.of("Retry-After", "1"),
        SimApiServer.failure(429, "too many requests"));
    long began = System.nanoTime();

    assertThat(api().list(Api.Kind.PODS, "app=kafka", PodList.class)).hasSize(1);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(990));
    assertThat(asked(PODS)).isEqualTo(2);
  }

  // --- words of the tests

  private void pod(String name) {
    admin
        .pods()
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(SimKubelet.NAMESPACE)
                .addToLabels("app", "kafka")
                .endMetadata()
                .build())
        .create();
  }

  private void awaitWakings(int atLeast) {
    await("wakings")
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(wakings.get()).isGreaterThanOrEqualTo(atLeast));
  }

  private int watches() {
    return asked(WATCHES);
  }

  private int asked(String part) {
    return Math.toIntExact(server.requests().stream().filter(each -> each.contains(part)).count());
  }

  private Api api() {
    return new Api(client, SimKubelet.NAMESPACE);
  }

  private static KubernetesSettings settings() {
    var brokers =
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka")),
            Set.of(Role.BROKER),
            new PodSelection.NodeId.Ordinal(0));
    return new KubernetesSettings(
        Optional.of(SimKubelet.NAMESPACE),
        Optional.empty(),
        List.of(brokers),
        "kafka",
        Action.EVICT,
        Optional.empty());
  }
}
