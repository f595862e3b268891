package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is asked of an API server is what the Role of the manifests grants, and nothing else. */
class RoleTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Path ROLE = Path.of("manifests", "base", "role.yaml");
  private static final ServerSpec FIRST = new ServerSpec(0, Set.of(Role.BROKER), Optional.empty());
  private static final String ROLLER = "roller";
  private static final String LONG_AGO = "2020-01-01T00:00:00Z";

  /** METHOD, group and version, kind, name, kind below it, query. */
  private static final Pattern REQUEST =
      Pattern.compile(
          "(?<method>[A-Z]+)"
              + " /(?:api/v1|apis/(?<group>[^/]+)/[^/]+)/namespaces/[^/]+/(?<kind>[^/?]+)"
              + "(?:/(?<name>[^/?]+)(?:/(?<below>[^/?]+))?)?(?:\\?(?<query>.*))?");

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient admin = server.client();
  private final KubernetesClient roller = server.client(ROLLER);
  private final Api api = new Api(roller, SimKubelet.NAMESPACE);
  private final SimKubelet kubelet = new SimKubelet(admin, SimKubelet.Processes.NONE);

  @BeforeEach
  void two_brokers_run() {
    kubelet.set("kafka", 2, "broker");
    await("both are ready")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () ->
                platform(Action.EVICT).look(FIRST).ready()
                    && platform(Action.EVICT)
                        .look(new ServerSpec(1, Set.of(Role.BROKER), Optional.empty()))
                        .ready());
  }

  @AfterEach
  void end() {
    kubelet.close();
    roller.close();
    admin.close();
    server.close();
  }

  @Test
  void a_role_grants_all_that_is_asked_for_and_no_more() throws Exception {
    var woken = new java.util.concurrent.CountDownLatch(1);
    // Until the end: the mock answers nobody for half a minute when a watch is cut as it begins.
    try (var cluster = KubernetesCluster.of(server.client(ROLLER), settings(Action.EVICT));
        var _ = cluster.watch(woken::countDown)) {
      await("pods are watched")
          .atMost(PATIENCE)
          .until(() -> asked().contains("core pods watch") && woken.getCount() == 0);
      annotate();
      kubelet.revise("kafka", "two");
      PodRoll.as("first", api, settings(Action.EVICT), _ -> {});
      platform(Action.DELETE).restart(FIRST, Optional.empty());
      await("it runs, and may have said something")
          .atMost(PATIENCE)
          .until(() -> platform(Action.DELETE).look(FIRST).ready());
      platform(Action.DELETE).lastWords(FIRST, 10);
      var operated = new SimStrimzi(admin);
      operated.kafka(true);
      operated.brokers();
      new RequestsMet(api, new SnapshotReader(api, strimzi())).takeAway();

      assertThat(asked()).containsExactlyElementsOf(granted());
    }
  }

  // --- words of the test

  /** As {@code group kind verb}. */
  private Set<String> asked() {
    Set<String> asked = new TreeSet<>();
    for (String line : server.requestsOf(ROLLER)) {
      var request = REQUEST.matcher(line);
      if (request.matches()) { // the others are about the server and not about a namespace
        String group = request.group("group");
        String below = request.group("below");
        asked.add(
            "%s %s %s"
                .formatted(
                    group == null ? "core" : group,
                    request.group("kind") + (below == null ? "" : "/" + below),
                    verb(
                        request.group("method"),
                        request.group("name") != null,
                        String.valueOf(request.group("query")))));
      }
    }
    return asked;
  }

  private static String verb(String method, boolean named, String query) {
    return switch (method) {
      case "GET" -> query.contains("watch=true") ? "watch" : named ? "get" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "DELETE" -> "delete";
      default -> method;
    };
  }

  private static Set<String> granted() throws Exception {
    var role =
        Serialization.unmarshal(
            Files.readString(ROLE), io.fabric8.kubernetes.api.model.rbac.Role.class);
    Set<String> granted = new TreeSet<>();
    for (var rule : role.getRules()) {
      for (String group : rule.getApiGroups()) {
        for (String kind : rule.getResources()) {
          for (String verb : rule.getVerbs()) {
            granted.add("%s %s %s".formatted(group.isEmpty() ? "core" : group, kind, verb));
          }
        }
      }
    }
    return granted;
  }

  private void annotate() {
    admin
        .apps()
        .statefulSets()
        .inNamespace(SimKubelet.NAMESPACE)
        .withName("kafka")
        .edit(
            set ->
                new StatefulSetBuilder(set)
                    .editMetadata()
                    .addToAnnotations(Annotations.RESTART, LONG_AGO)
                    .endMetadata()
                    .build());
  }

  private KubernetesPlatform platform(Action action) {
    var settings = settings(action);
    return new KubernetesPlatform(
        api, new SnapshotReader(api, settings), settings, Right.ALWAYS, Clock.systemUTC());
  }

  private static KubernetesSettings settings(Action action) {
    return settings(
        action,
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka")),
            Set.of(Role.BROKER),
            new PodSelection.NodeId.Ordinal(0)));
  }

  private static KubernetesSettings strimzi() {
    return settings(Action.EVICT, PodSelection.strimzi(SimStrimzi.CLUSTER));
  }

  private static KubernetesSettings settings(Action action, PodSelection pods) {
    return new KubernetesSettings(
        Optional.empty(), Optional.empty(), List.of(pods), "kafka", action, Optional.empty());
  }
}
