package dev.sluice.kubernetes;

import static dev.sluice.kubernetes.RealCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests are held against the schemas of a real API server. */
@ExtendWith(SharedRealCluster.class)
@ResourceLock(RealCluster.ALONE)
class RealManifestsTest {

  @TempDir private Path folder;

  private final RealCluster cluster;

  RealManifestsTest(RealCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void the_manifests_are_what_the_schemas_of_the_server_say() throws Exception {
    for (String file : List.of("service-account", "role", "role-binding", "deployment")) {
      cluster.apply("base/" + file, "&dryRun=All");
    }
  }

  @Test
  void a_pod_monitor_is_what_its_schema_says_and_a_field_that_there_is_not_is_refused()
      throws Exception {
    definePodMonitors();
    cluster.apply("prometheus/podmonitor", "&dryRun=All");

    String mistaken =
        Files.readString(RealCluster.MANIFESTS.resolve("prometheus/podmonitor.yaml"))
            .replace("interval:", "every:");
    assertThatThrownBy(() -> cluster.apply(cluster.object(mistaken), "&dryRun=All"))
        .hasMessageContaining("unknown field \"spec.podMetricsEndpoints[0].every\"");
  }

  @ParameterizedTest
  @CsvSource({"base,5", "prometheus,1", "example,5"})
  void what_kustomize_makes_of_them_is_what_the_server_takes(String of, int objects)
      throws Exception {
    definePodMonitors();
    Path rendered = folder.resolve("rendered.yaml");
    Process process =
        new ProcessBuilder(
                RealApiServer.programs().resolve("kubectl").toString(),
                "kustomize",
                RealCluster.MANIFESTS.resolve(of).toString())
            .redirectErrorStream(true)
            .redirectOutput(rendered.toFile())
            .start();
    int status = process.waitFor();
    String said = Files.readString(rendered);

    assertThat(status).as(said).isZero();
    String[] documents = said.split("\n---\n");
    assertThat(documents).as(said).hasSize(objects);
    for (String document : documents) {
      cluster.apply(cluster.object(document), "&dryRun=All");
    }
  }

  private void definePodMonitors() throws Exception {
    String kinds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    if (cluster.admin().raw(kinds + "/podmonitors.monitoring.coreos.com") == null) {
      String definition = Files.readString(Path.of("src", "test", "resources", "podmonitors.yaml"));
      assertThat(
              cluster
                  .admin()
                  .raw(kinds + "?fieldValidation=Strict", "POST", cluster.object(definition)))
          .contains("PodMonitor");
    }
    await("it is served")
        .atMost(PATIENCE)
        .until(
            () ->
                cluster.admin().raw("/apis/monitoring.coreos.com/v1/namespaces/kafka/podmonitors")
                    != null);
  }
}
