package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.kubernetes.KubernetesSettings.ConfigurationSource;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.planner.RestartReason;
import dev.sluice.planner.Stage;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.ServerSpec;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is written into the cluster, and what is read from it beside pods. */
class RestartScribeTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final ServerSpec FIRST = new ServerSpec(0, Set.of(Role.BROKER), Optional.empty());

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient client = server.client();
  private final SimKubelet kubelet = new SimKubelet(client, SimKubelet.Processes.NONE);
  private final KubernetesCluster cluster = KubernetesCluster.of(server.client(), settings());

  @BeforeEach
  void two_brokers_run() {
    kubelet.set("kafka", 2, "broker");
    await("both are ready").atMost(PATIENCE).ignoreExceptions().until(() -> ready(0) && ready(1));
  }

  @AfterEach
  void end() {
    kubelet.close();
    cluster.close();
    client.close();
    server.close();
  }

  @Test
  void a_restart_leaves_events_at_pod_and_owner_with_its_reasons() {
    cluster.scribe().acting(act("€".repeat(1_000)));

    await("two events").atMost(PATIENCE).until(() -> events().size() == 2);
    assertThat(events())
        .extracting(event -> event.getInvolvedObject().getKind())
        .containsExactlyInAnyOrder("Pod", "StatefulSet");
    assertThat(events())
        .allSatisfy(
            event -> {
              assertThat(event.getMessage()).startsWith("server 0: restart: runs revision 'a'");
              assertThat(event.getMessage().getBytes(StandardCharsets.UTF_8).length)
                  .isBetween(RestartScribe.MESSAGE_MAX_BYTES - 8, RestartScribe.MESSAGE_MAX_BYTES);
            });
  }

  @Test
  void events_that_are_forbidden_stop_nothing() {
    server.refuse("POST /api/v1/namespaces/kafka/events", ApiException.FORBIDDEN, "no");

    cluster.scribe().acting(act("b"));

    await("was asked for")
        .atMost(PATIENCE)
        .until(() -> server.requests().stream().filter(e -> e.contains("/events")).count() == 2);
  }

  @Test
  void a_request_is_taken_away_once_every_pod_has_started_since() throws Exception {
    String later = Instant.now().plusSeconds(3_600).toString();
    annotate(Map.of(Annotations.RESTART, later));
    awaitAsked(later);
    cluster.scribe().ended(finished());
    assertThat(annotations()).containsKey(Annotations.RESTART);

    String before = Instant.now().minusSeconds(3_600).toString();
    annotate(Map.of(Annotations.RESTART, before, "other", "x"));
    awaitAsked(before);
    cluster.scribe().ended(finished());
    assertThat(annotations()).containsOnlyKeys("other");
  }

  @Test
  void nobody_compares_configurations_unless_told_where_they_are() throws Exception {
    assertThat(cluster.desired(Set.of()).of(FIRST)).isEmpty();
  }

  @Test
  void an_annotation_says_where_the_desired_configuration_is() throws Exception {
    annotate(Map.of(Annotations.CONFIGURATION, "configmap/kafka-{role}/server.properties"));
    await("it is heard")
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> cluster.desired(Set.of()).of(FIRST))
                    .hasMessageContaining("expected ConfigMap kafka-broker in namespace kafka"));

    configured();
    assertThat(cluster.desired(Set.of()).of(FIRST).orElseThrow().values())
        .containsExactly(Map.entry("num.partitions", "3"));
  }

  /** What was read a moment ago may still be shared. */
  private void awaitAsked(String value) {
    await(value)
        .atMost(PATIENCE)
        .until(
            () ->
                cluster.platform().look(FIRST).asked().stream()
                    .anyMatch(asked -> asked.detail().contains(value)));
  }

  private void configured() {
    client
        .configMaps()
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("kafka-broker")
                .withNamespace(SimKubelet.NAMESPACE)
                .endMetadata()
                .addToData("server.properties", "num.partitions = 3\n")
                .build())
        .create();
  }

  private boolean ready(int id) throws Exception {
    PlatformReading reading =
        cluster.platform().look(new ServerSpec(id, Set.of(Role.BROKER), Optional.empty()));
    return reading.ready();
  }

  private List<Event> events() {
    return client.v1().events().inNamespace(SimKubelet.NAMESPACE).list().getItems();
  }

  private void annotate(Map<String, String> annotations) {
    client
        .apps()
        .statefulSets()
        .inNamespace(SimKubelet.NAMESPACE)
        .withName("kafka")
        .edit(
            set ->
                new StatefulSetBuilder(set)
                    .editMetadata()
                    .withAnnotations(annotations)
                    .endMetadata()
                    .build());
  }

  private Map<String, String> annotations() {
    return client
        .apps()
        .statefulSets()
        .inNamespace(SimKubelet.NAMESPACE)
        .withName("kafka")
        .get()
        .getMetadata()
        .getAnnotations();
  }

  private static Outcome finished() {
    return new Outcome.Finished(new Plan.Done(Instant.now(), List.of(), List.of()));
  }

  private static Plan.Act act(String desired) {
    var need = new Need.Restart(List.of(new RestartReason.RevisionDiffers("a", desired)));
    return new Plan.Act(
        Instant.now(),
        List.of(),
        Stage.BROKER,
        new TreeMap<>(Map.of(0, need)),
        List.of(),
        List.of(),
        List.of());
  }

  private static KubernetesSettings settings() {
    var brokers =
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka")),
            Set.of(Role.BROKER),
            new PodSelection.NodeId.Ordinal(0));
    return new KubernetesSettings(
        Optional.empty(),
        Optional.of(SimKubelet.NAMESPACE),
        List.of(brokers),
        "kafka",
        Action.EVICT,
        Optional.<ConfigurationSource>empty());
  }
}
