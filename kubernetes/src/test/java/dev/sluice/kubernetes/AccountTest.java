package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Who we are inside a cluster. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class AccountTest {

  private static final String PODS = "GET /api/v1/namespaces/kafka/pods?";

  @TempDir private Path folder;

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient admin = server.client();
  private final SimKubelet kubelet = new SimKubelet(admin, SimKubelet.Processes.NONE);

  @AfterEach
  void end() {
    kubelet.close();
    admin.close();
    server.close();
  }

  @Test
  void a_token_that_was_replaced_is_read_again_when_the_old_one_is_refused() throws Exception {
    kubelet.set("kafka", 1, "broker");
    try (var pod = new OwnPod(folder, "first", "127.0.0.1", 1).plain(server.url());
        var cluster = KubernetesCluster.open(settings())) {
      cluster.refusal();
      assertThat(server.requestsOf("first")).anyMatch(each -> each.startsWith(PODS));
      pod.rotate("second");
      server.answerNext(
          PODS, ApiException.UNAUTHORIZED, Map.of(), SimApiServer.failure(401, "expired"));
      cluster.api().list(Api.Kind.PODS, "app=kafka", io.fabric8.kubernetes.api.model.PodList.class);

      assertThat(server.requestsOf("second")).anyMatch(each -> each.startsWith(PODS));
    }
  }

  private static KubernetesSettings settings() {
    var brokers =
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka")),
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
