package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods that Strimzi's operator restarts too, by whichever way they are named in {@code roll.yaml}.
 */
class StrimziPodsTest {

  private static final ServerSpec SERVER =
      new ServerSpec(SimStrimzi.SERVER, Set.of(Role.BROKER), Optional.empty());

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient admin = server.client();
  private final SimStrimzi strimzi = new SimStrimzi(admin);

  @BeforeEach
  void a_broker_runs() {
    strimzi.brokers();
  }

  @AfterEach
  void end() {
    admin.close();
    server.close();
  }

  static Stream<Arguments> waysToNameThem() {
    return Stream.of(
        Arguments.of("as a cluster of Strimzi's", PodSelection.strimzi(SimStrimzi.CLUSTER)),
        Arguments.of("as pods with labels", labelled("strimzi.io/cluster", SimStrimzi.CLUSTER)),
        Arguments.of("as pods with other labels", labelled("strimzi.io/broker-role", "true")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waysToNameThem")
  void are_left_alone_unless_its_operator_is_paused(String how, PodSelection pods)
      throws Exception {
    strimzi.kafka(false);
    for (Action action : Action.values()) {
      assertThat(platform(pods, action).look(SERVER).forbidden().orElse(""))
          .contains("kubectl annotate kafka mine -n kafka strimzi.io/pause-reconciliation=true");
      assertThatThrownBy(() -> platform(pods, action).restart(SERVER, Optional.empty()))
          .hasMessageContaining("pause it");
    }
    assertThat(server.requests())
        .noneMatch(each -> each.startsWith("DELETE") || each.endsWith("/eviction"));

    strimzi.kafka(true);

    assertThat(platform(pods, Action.EVICT).look(SERVER).forbidden()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waysToNameThem")
  void should_have_the_revision_that_their_pod_set_says(String how, PodSelection pods)
      throws Exception {
    strimzi.kafka(true);

    PlatformReading reading = platform(pods, Action.EVICT).look(SERVER);

    assertThat(reading.revisionRunning()).isEqualTo("one");
    assertThat(reading.revisionDesired()).isEqualTo("two");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waysToNameThem")
  void are_left_alone_when_nobody_tells_whose_they_are(String how, PodSelection pods)
      throws Exception {
    strimzi.kafka(true);
    admin
        .genericKubernetesResources("core.strimzi.io/v1beta2", Kinds.STRIMZI_POD_SET)
        .inNamespace(SimKubelet.NAMESPACE)
        .withName("mine-broker")
        .delete();

    assertThat(platform(pods, Action.EVICT).look(SERVER).forbidden().orElse(""))
        .startsWith("expected the StrimziPodSet of pod mine-broker-7");
  }

  private KubernetesPlatform platform(PodSelection pods, Action action) {
    var settings =
        new KubernetesSettings(
            Optional.empty(), Optional.empty(), List.of(pods), "kafka", action, Optional.empty());
    var api = new Api(admin, SimKubelet.NAMESPACE);
    return new KubernetesPlatform(
        api, new SnapshotReader(api, settings), settings, Right.ALWAYS, Clock.systemUTC());
  }

  private static PodSelection labelled(String key, String value) {
    return new PodSelection(
        new TreeMap<>(Map.of(key, value)), Set.of(Role.BROKER), new PodSelection.NodeId.Ordinal(0));
  }
}
