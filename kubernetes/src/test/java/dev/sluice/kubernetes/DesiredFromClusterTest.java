package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.kubernetes.KubernetesSettings.ConfigurationSource;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.DesiredConfiguration;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where the configuration that servers should have is read, and what is said when it is not there.
 */
class DesiredFromClusterTest {

  private static final ServerSpec COMBINED = server(7, Role.BROKER, Role.CONTROLLER);
  private static final String PASSWORD = "hunter2";

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient admin = server.client();

  @BeforeEach
  void a_pod_runs() {
    new SimStrimzi(admin).kafka(true);
    new SimStrimzi(admin).brokers();
  }

  @AfterEach
  void end() {
    admin.close();
    server.close();
  }

  @Test
  void without_a_source_nobody_compares() throws Exception {
    assertThat(desired(Optional.empty()).of(COMBINED)).isEmpty();
  }

  @Test
  void a_config_map_is_named_by_role_id_and_pod() throws Exception {
    configMap("kafka-combined", "server-7-mine-broker-7.properties", "num.partitions=3");

    assertThat(values(source(false, "kafka-{role}", "server-{id}-{pod}.properties"), COMBINED))
        .containsExactly(Map.entry("num.partitions", "3"));
    assertThatThrownBy(
            () -> values(source(false, "kafka-{role}", "server-{id}"), server(7, Role.CONTROLLER)))
        .hasMessage(
            "expected ConfigMap kafka-controller in namespace kafka with the desired configuration, found none");
  }

  @Test
  void a_secret_is_read_and_what_is_wrong_with_it_is_told_without_its_values() throws Exception {
    secret("kafka-broker", "server.properties", "ssl.key.password=" + PASSWORD);
    secret("broken", "server.properties", "ssl.key.password=" + PASSWORD + "\\u00zz");

    assertThat(values(source(true, "kafka-{role}", "server.properties"), server(7, Role.BROKER)))
        .containsExactly(Map.entry("ssl.key.password", PASSWORD));
    assertThatThrownBy(() -> values(source(true, "kafka-broker", "other"), COMBINED))
        .hasMessage(
            "expected key other in Secret kafka-broker of namespace kafka, found [server.properties]");
    assertThatThrownBy(() -> values(source(true, "broken", "server.properties"), COMBINED))
        .hasMessageContaining("expected properties at server.properties in Secret broken")
        .hasStackTraceContaining("Malformed")
        .satisfies(e -> assertThat(e.toString()).doesNotContain(PASSWORD));
  }

  @Test
  void a_permission_to_read_secrets_that_is_missing_is_named() {
    server.refuse("GET /api/v1/namespaces/kafka/secrets/", ApiException.FORBIDDEN, "no");

    assertThatThrownBy(() -> values(source(true, "kafka-broker", "any"), COMBINED))
        .hasMessageStartingWith(
            "expected the permission to get secrets in namespace kafka, found that it is missing");
  }

  @Test
  void an_annotation_of_the_pod_says_otherwise() throws Exception {
    configMap("kafka-combined", "server.properties", "num.partitions=3");
    configMap("this-one", "server.properties", "num.partitions=5");
    annotate("configmap/this-one/server.properties");

    assertThat(values(source(false, "kafka-{role}", "server.properties"), COMBINED))
        .containsExactly(Map.entry("num.partitions", "5"));
  }

  @Test
  void an_annotation_of_another_form_is_refused_and_the_form_is_told() {
    for (String mistaken : List.of("this-one", "configmap/this-one", "file/etc/kafka")) {
      annotate(mistaken);

      assertThatThrownBy(() -> desired(Optional.empty()).of(COMBINED))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "expected configmap/NAME/KEY or secret/NAME/KEY in annotation sluice.dev/configuration, found '%s'"
                  .formatted(mistaken));
    }
  }

  // --- words of the tests

  private Map<String, String> values(ConfigurationSource source, ServerSpec spec) throws Exception {
    return desired(Optional.of(source)).of(spec).orElseThrow().values();
  }

  private DesiredConfiguration desired(Optional<ConfigurationSource> source) {
    var settings =
        new KubernetesSettings(
            Optional.empty(),
            Optional.empty(),
            List.of(PodSelection.strimzi(SimStrimzi.CLUSTER)),
            "kafka",
            Action.EVICT,
            source);
    var api = new Api(admin, SimKubelet.NAMESPACE);
    return new DesiredFromCluster(api, new SnapshotReader(api, settings), settings, Set.of());
  }

  private static ConfigurationSource source(boolean secret, String name, String key) {
    return new ConfigurationSource(secret, name, key);
  }

  private static ServerSpec server(int id, Role... roles) {
    return new ServerSpec(id, Set.of(roles), Optional.empty());
  }

  private void configMap(String name, String key, String text) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(SimKubelet.NAMESPACE)
            .endMetadata()
            .withData(new TreeMap<>(Map.of(key, text)))
            .build();
    admin.configMaps().inNamespace(SimKubelet.NAMESPACE).resource(map).create();
  }

  private void secret(String name, String key, String text) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(SimKubelet.NAMESPACE)
            .endMetadata()
            .addToData(
                key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)))
            .build();
    admin.secrets().inNamespace(SimKubelet.NAMESPACE).resource(secret).create();
  }

  private void annotate(String configuration) {
    admin
        .pods()
        .inNamespace(SimKubelet.NAMESPACE)
        .withName(SimStrimzi.POD)
        .edit(
            pod ->
                new PodBuilder(pod)
                    .editMetadata()
                    .addToAnnotations(Annotations.CONFIGURATION, configuration)
                    .endMetadata()
                    .build());
  }
}
