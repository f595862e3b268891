package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollRequest;
import dev.sluice.roller.ServerSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.SecretList;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The same against a real kube-apiserver, as an account that has the permissions of the manifests
 * and no more. Needs what {@code control-plane/build} makes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RealApiServerTest {

  private static final Path MANIFESTS = Path.of("manifests", "base");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ServerSpec FIRST = spec(0);
  private static final PodWatch.Pace SOON =
      new PodWatch.Pace(Duration.ofMillis(500), Duration.ofMillis(500));

  @TempDir private static Path folder;

  private RealApiServer server;
  private KubernetesClient admin;
  private KubernetesClient roller;
  private SimKubelet kubelet;

  @BeforeAll
  void start() throws Exception {
    if (!RealApiServer.available()) {
      System.out.println(
          "SKIPPED: no kube-apiserver in "
              + RealApiServer.programs()
              + "; see control-plane/build");
    }
    assumeTrue(RealApiServer.available());
    server = RealApiServer.start(folder);
    admin = server.client("admin");
    roller = server.client("roller");
    for (String file : List.of("service-account", "role", "role-binding")) {
      apply(file, "");
    }
    bindRoller();
  }

  @AfterAll
  void end() {
    if (server != null) {
      admin.close();
      roller.close();
      server.close();
    }
  }

  @BeforeEach
  void two_brokers_run() {
    kubelet = new SimKubelet(admin, SimKubelet.Processes.NONE);
    kubelet.set("kafka", 2, "broker");
    awaitReading(FIRST, PlatformReading::ready);
    awaitReading(spec(1), PlatformReading::ready);
  }

  @AfterEach
  void clear() {
    if (kubelet == null) {
      return;
    }
    kubelet.close();
    var sets = admin.apps().statefulSets().inNamespace(SimKubelet.NAMESPACE);
    sets.delete();
    admin.policy().v1().podDisruptionBudget().inNamespace(SimKubelet.NAMESPACE).delete();
    var pods = admin.pods().inNamespace(SimKubelet.NAMESPACE);
    pods.withGracePeriod(0).delete();
    await("all is gone")
        .atMost(PATIENCE)
        .until(() -> pods.list().getItems().isEmpty() && sets.list().getItems().isEmpty());
  }

  @Test
  void a_pod_is_evicted_and_another_of_the_desired_revision_is_waited_for() throws Exception {
    kubelet.revise("kafka", "two");
    var before = awaitReading(FIRST, found -> found.revisionDesired().endsWith("two"));
    assertThat(before.revisionRunning()).endsWith("one");

    platform(Action.EVICT).restart(FIRST, Optional.of(before.since()));

    var after = awaitReading(FIRST, PlatformReading::ready);
    assertThat(after.revisionRunning()).isEqualTo(after.revisionDesired()).endsWith("two");
    assertThat(kubelet.made("kafka-0")).isEqualTo(2);
    assertThat(kubelet.made("kafka-1")).isEqualTo(1);
  }

  @Test
  void a_whole_roll_needs_no_more_than_the_role_of_the_manifests() throws Exception {
    kubelet.revise("kafka", "two");

    var outcome = PodRoll.of(api(), settings(Action.EVICT));

    assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Finished.class);
    assertThat(kubelet.made("kafka-0")).isEqualTo(2);
    assertThat(kubelet.made("kafka-1")).isEqualTo(2);
  }

  @Test
  void a_budget_that_allows_nothing_is_seen_and_refuses_evictions() throws Exception {
    budget(0);

    assertThat(platform(Action.EVICT).look(FIRST).forbidden().orElse(""))
        .contains("the disruption budget kafka allows no eviction now");
    var pod = reader(Action.EVICT).read().podOf(0).orElseThrow();
    assertThatThrownBy(() -> new Eviction(api(), Right.ALWAYS).of(pod))
        .hasMessageContaining("no eviction of pod kafka-0 was allowed for 10s");
    assertThat(kubelet.made("kafka-0")).isEqualTo(1);
  }

  @Test
  void a_deletion_names_one_pod_and_not_the_next_of_its_name() throws Exception {
    var first = reader(Action.DELETE).read().podOf(0).orElseThrow();
    platform(Action.DELETE).restart(FIRST, Optional.empty());
    awaitReading(FIRST, PlatformReading::ready);

    assertThatThrownBy(
            () -> api().delete(Api.Kind.PODS, first.name(), KubernetesPlatform.only(first)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.code()).isEqualTo(ApiException.CONFLICT));
    assertThat(kubelet.made("kafka-0")).isEqualTo(2);
  }

  @Test
  void a_request_on_an_owner_has_the_time_that_the_server_noted() throws Exception {
    var before = Instant.now().minusSeconds(2);
    annotate(Map.of(Annotations.RESTART, "new disks"));

    assertThat(platform(Action.EVICT).look(FIRST).asked())
        .singleElement()
        .satisfies(
            asked -> {
              assertThat(asked.at()).isBetween(before, Instant.now().plusSeconds(1));
              assertThat(asked.detail()).contains("new disks");
            });
    new RequestsMet(api(), reader(Action.EVICT)).takeAway();
    assertThat(annotations()).as("not met yet").containsKey(Annotations.RESTART);
    annotate(Map.of(Annotations.RESTART, "2020-01-01T00:00:00Z"));
    new RequestsMet(api(), reader(Action.EVICT)).takeAway();
    assertThat(annotations()).as("met").doesNotContainKey(Annotations.RESTART);
  }

  @Test
  void of_two_only_one_has_the_lease_and_only_one_writes_the_journal() throws Exception {
    var lost = new ArrayList<String>();
    var other = new LeaseWatch(api(), "c", "other", LeaseWatch.DURATION);
    try (var lease =
        new LeaseWatch(api(), "c", "one", LeaseWatch.DURATION).attempt(lost::add).orElseThrow()) {
      assertThat(lease.held()).isTrue();
      assertThat(other.attempt(lost::add)).isEmpty();
    }
    other.attempt(lost::add).orElseThrow().close();

    var request = new RollRequest(Instant.EPOCH, Optional.empty(), Set.of());
    ConfigMapJournal.open(api(), "c").asked(request);
    var one = ConfigMapJournal.open(api(), "c");
    var two = ConfigMapJournal.open(api(), "c");
    one.asked(new RollRequest(Instant.EPOCH, Optional.of("another"), Set.of()));
    assertThatThrownBy(() -> two.asked(request)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void a_permission_that_is_missing_is_named() throws Exception {
    admin
        .rbac()
        .roles()
        .inNamespace(SimKubelet.NAMESPACE)
        .withName("sluice-roll")
        .edit(role -> new RoleBuilder(role).editRule(0).withVerbs("get").endRule().build());
    try {
      await("it is taken away")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> platform(Action.EVICT).look(FIRST))
                      .hasMessageStartingWith(
                          "expected the permission to list pods in namespace kafka, found that it is missing"));
    } finally {
      apply("role", "");
      awaitReading(FIRST, PlatformReading::ready);
    }
  }

  @Test
  void the_manifests_are_what_the_schemas_of_the_server_say() throws Exception {
    for (String file : List.of("service-account", "role", "role-binding", "deployment")) {
      apply(file, "&dryRun=All");
    }
  }

  @Test
  void a_pod_monitor_is_what_its_schema_says_and_a_field_that_there_is_not_is_refused()
      throws Exception {
    definePodMonitors();
    apply("podmonitor", "&dryRun=All");

    String mistaken =
        Files.readString(MANIFESTS.resolve("podmonitor.yaml")).replace("interval:", "every:");
    assertThatThrownBy(() -> apply(object(mistaken), "&dryRun=All"))
        .hasMessageContaining("unknown field \"spec.podMetricsEndpoints[0].every\"");
  }

  @Test
  void what_kustomize_makes_of_the_base_is_what_the_server_takes() throws Exception {
    Path kustomize = RealApiServer.programs().resolve("kustomize");
    if (!Files.isExecutable(kustomize)) {
      System.out.println("SKIPPED: no " + kustomize + "; see control-plane/build");
    }
    assumeTrue(Files.isExecutable(kustomize));
    definePodMonitors();

    Path rendered = folder.resolve("rendered.yaml");
    Process process =
        new ProcessBuilder(kustomize.toString(), "build", MANIFESTS.toString())
            .redirectErrorStream(true)
            .redirectOutput(rendered.toFile())
            .start();
    String[] documents =
        process.waitFor() == 0 ? Files.readString(rendered).split("\n---\n") : new String[0];

    assertThat(documents).as(Files.readString(rendered)).hasSize(6);
    for (String document : documents) {
      apply(object(document), "&dryRun=All");
    }
  }

  @Test
  void a_watch_whose_connection_ends_is_begun_again() throws Exception {
    var wakings = new AtomicInteger();
    try (var relay = new Relay(server.port());
        var cluster =
            KubernetesCluster.of(server.client("roller", relay.port()), settings(Action.EVICT));
        var _ = cluster.watch(wakings::incrementAndGet)) {
      await("both pods are seen").atMost(PATIENCE).until(() -> wakings.get() >= 2);
      int listed = wakings.get();
      kubelet.fate("kafka-1", new SimKubelet.Fate.NeverReady());
      await("the watch stands").atMost(PATIENCE).until(() -> wakings.get() > listed);
      int before = relay.accepted();
      relay.sever();
      await("another connection").atMost(PATIENCE).until(() -> relay.accepted() > before);
      int seen = wakings.get();

      kubelet.fate("kafka-0", new SimKubelet.Fate.NeverReady());

      await("its change is seen").atMost(PATIENCE).until(() -> wakings.get() > seen);
    }
  }

  @Test
  void a_watch_that_is_cut_while_it_begins_is_begun_again() throws Exception {
    var fates = List.of(new SimKubelet.Fate.NeverReady(), new SimKubelet.Fate.Runs());
    for (int round = 0; round < 5; round++) {
      String pod = "kafka-" + round % 2;
      var wakings = new AtomicInteger();
      try (var relay = new Relay(server.port());
          var cluster =
              KubernetesCluster.of(server.client("roller", relay.port()), settings(Action.EVICT));
          var _ = cluster.watch(wakings::incrementAndGet, SOON)) {
        await("a list, and a watch").atMost(PATIENCE).until(() -> relay.accepted() >= 2);
        relay.sever();
        await("both pods are seen").atMost(PATIENCE).until(() -> wakings.get() >= 2);
        int seen = wakings.get();

        kubelet.fate(pod, fates.get(round / 2 % fates.size()));

        await("its change is seen").atMost(PATIENCE).until(() -> wakings.get() > seen);
      }
    }
  }

  @Test
  void connections_that_fall_silent_are_left_for_others() throws Exception {
    var wakings = new AtomicInteger();
    try (var relay = new Relay(server.port());
        var cluster =
            KubernetesCluster.of(server.client("roller", relay.port()), settings(Action.EVICT));
        var _ = cluster.watch(wakings::incrementAndGet, SOON)) {
      await("both pods are seen").atMost(PATIENCE).until(() -> wakings.get() >= 2);
      relay.silence();
      int seen = wakings.get();

      kubelet.fate("kafka-0", new SimKubelet.Fate.NeverReady());

      await("its change is seen").atMost(PATIENCE).until(() -> wakings.get() > seen);
      assertThat(cluster.servers()).hasSize(2);
    }
  }

  @Test
  void a_roll_whose_lease_is_taken_stops_after_the_step_under_way_and_another_ends_it()
      throws Exception {
    var thief = new LeaseThief(admin, PodRoll.Step.ABOUT_TO_END, 1);
    kubelet.revise("kafka", "two");

    var outcome = PodRoll.as("first", api(), settings(Action.EVICT), thief);

    assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Stopped.class);
    assertThat(outcome.sentence()).contains("thief took it");
    assertThat(kubelet.made("kafka-0") + kubelet.made("kafka-1")).isEqualTo(3);
    var end = PodRoll.as(LeaseThief.NAME, api(), settings(Action.EVICT), _ -> {});
    assertThat(end).as(end.sentence()).isInstanceOf(Outcome.Finished.class);
    assertThat(kubelet.made("kafka-0")).isEqualTo(2);
    assertThat(kubelet.made("kafka-1")).isEqualTo(2);
  }

  @Test
  void inside_a_cluster_the_account_of_the_manifests_rolls_and_may_do_nothing_else()
      throws Exception {
    String token = RealApiServer.token(admin, "sluice-roll");
    kubelet.revise("kafka", "two");
    try (var _ =
            new OwnPod(folder, token, "127.0.0.1", server.port())
                .certificates(server.certificates());
        var cluster = KubernetesCluster.open(settings(Action.EVICT))) {
      var outcome = PodRoll.as("inside", cluster.api(), settings(Action.EVICT), _ -> {});

      assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Finished.class);
      assertThat(kubelet.made("kafka-0")).isEqualTo(2);
      assertThat(kubelet.made("kafka-1")).isEqualTo(2);
      assertThatThrownBy(() -> cluster.api().list(Api.Kind.SECRETS, "", SecretList.class))
          .hasMessageContaining("expected the permission to list secrets in namespace kafka");
    }
  }

  @Test
  void a_port_that_somebody_took_is_left_to_them() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var attempts = new AtomicInteger();
      var another =
          RealApiServer.start(
              Files.createDirectory(folder.resolve("another")),
              () -> {
                List<Integer> ports = new ArrayList<>(RealApiServer.freePorts());
                if (attempts.getAndIncrement() == 0) {
                  ports.set(2, taken.getLocalPort());
                }
                return ports;
              });
      another.close();

      assertThat(attempts).hasValue(2);
    }
  }

  // --- words of the tests

  private void definePodMonitors() throws Exception {
    String kinds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    if (admin.raw(kinds + "/podmonitors.monitoring.coreos.com") == null) {
      String definition = Files.readString(Path.of("src", "test", "resources", "podmonitors.yaml"));
      assertThat(admin.raw(kinds + "?fieldValidation=Strict", "POST", object(definition)))
          .contains("PodMonitor");
    }
    await("it is served")
        .atMost(PATIENCE)
        .until(
            () -> admin.raw("/apis/monitoring.coreos.com/v1/namespaces/kafka/podmonitors") != null);
  }

  private GenericKubernetesResource object(String yaml) {
    return admin.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
  }

  private void apply(String file, String more) throws Exception {
    apply(object(Files.readString(MANIFESTS.resolve(file + ".yaml"))), more);
  }

  /** Applied on the server's side, which knows every field and refuses those that it does not. */
  private void apply(GenericKubernetesResource object, String more) {
    String plural = object.getKind().toLowerCase(java.util.Locale.ROOT) + "s";
    String root =
        object.getApiVersion().contains("/")
            ? "/apis/" + object.getApiVersion()
            : "/api/" + object.getApiVersion();
    String path = root + "/namespaces/" + SimKubelet.NAMESPACE + "/" + plural;
    String name = "/" + object.getMetadata().getName();
    boolean there = admin.raw(path + name) != null;
    String query = "?fieldValidation=Strict" + more;
    assertThat(
            there
                ? admin.raw(path + name + query, "PUT", object)
                : admin.raw(path + query, "POST", object))
        .contains(object.getMetadata().getName());
  }

  private void bindRoller() {
    admin
        .rbac()
        .roleBindings()
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(
            new io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder()
                .withNewMetadata()
                .withName("tests")
                .endMetadata()
                .withNewRoleRef()
                .withApiGroup("rbac.authorization.k8s.io")
                .withKind("Role")
                .withName("sluice-roll")
                .endRoleRef()
                .addNewSubject()
                .withApiGroup("rbac.authorization.k8s.io")
                .withKind("User")
                .withName("roller")
                .endSubject()
                .build())
        .create();
  }

  private void budget(int allowed) {
    PodDisruptionBudget budget =
        new PodDisruptionBudgetBuilder()
            .withNewMetadata()
            .withName("kafka")
            .endMetadata()
            .withNewSpec()
            .withNewMinAvailable(2)
            .withNewSelector()
            .addToMatchLabels("app", "kafka")
            .endSelector()
            .endSpec()
            .build();
    admin
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(budget)
        .create();
    admin
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(SimKubelet.NAMESPACE)
        .withName("kafka")
        .editStatus(
            found ->
                new PodDisruptionBudgetBuilder(found)
                    .withNewStatus()
                    .withDisruptionsAllowed(allowed)
                    .withCurrentHealthy(2)
                    .withDesiredHealthy(2)
                    .withExpectedPods(2)
                    .withObservedGeneration(found.getMetadata().getGeneration())
                    .endStatus()
                    .build());
  }

  private void annotate(Map<String, String> annotations) {
    admin
        .apps()
        .statefulSets()
        .inNamespace(SimKubelet.NAMESPACE)
        .withName("kafka")
        .edit(
            set ->
                new io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder(set)
                    .editMetadata()
                    .withAnnotations(annotations)
                    .endMetadata()
                    .build());
  }

  private Map<String, String> annotations() {
    var found =
        admin
            .apps()
            .statefulSets()
            .inNamespace(SimKubelet.NAMESPACE)
            .withName("kafka")
            .get()
            .getMetadata()
            .getAnnotations();
    return found == null ? Map.of() : found;
  }

  private PlatformReading awaitReading(ServerSpec spec, Predicate<PlatformReading> as) {
    return await("server " + spec.id())
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> platform(Action.EVICT).look(spec), as);
  }

  private KubernetesPlatform platform(Action action) {
    return new KubernetesPlatform(
        api(), reader(action), settings(action), Right.ALWAYS, Clock.systemUTC());
  }

  private SnapshotReader reader(Action action) {
    return new SnapshotReader(api(), settings(action));
  }

  private Api api() {
    return new Api(roller, SimKubelet.NAMESPACE);
  }

  private static KubernetesSettings settings(Action action) {
    var brokers =
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka")),
            Set.of(Role.BROKER),
            new PodSelection.NodeId.Ordinal(0));
    return new KubernetesSettings(
        Optional.empty(), Optional.empty(), List.of(brokers), "kafka", action, Optional.empty());
  }

  private static ServerSpec spec(int id) {
    return new ServerSpec(id, Set.of(Role.BROKER), Optional.empty());
  }
}
