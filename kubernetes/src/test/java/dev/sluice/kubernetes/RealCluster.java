package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A real kube-apiserver, where {@code control-plane/build} has made one, with an account that has
 * the permissions of the manifests and no more, and two brokers that are pods as far as it can
 * tell.
 */
final class RealCluster implements AutoCloseable {

  /** Who uses it has it alone: everything happens in one namespace. */
  static final String ALONE = "the real kube-apiserver";

  static final Path MANIFESTS = Path.of("manifests");
  static final Duration PATIENCE = Duration.ofSeconds(90);
  static final ServerSpec FIRST = spec(0);

  private final Path folder;
  private final RealApiServer server;
  private final KubernetesClient admin;
  private final KubernetesClient roller;
  private @Nullable SimKubelet kubelet;

  private RealCluster(Path folder, RealApiServer server) throws IOException {
    this.folder = folder;
    this.server = server;
    this.admin = server.client("admin");
    this.roller = server.client("roller");
    for (String file : List.of("base/service-account", "base/role", "base/role-binding")) {
      apply(file, "");
    }
    bindRoller();
  }

  static RealCluster start() throws Exception {
    Path folder = Files.createTempDirectory("control-plane");
    return new RealCluster(folder, RealApiServer.start(folder));
  }

  @Override
  public void close() throws IOException {
    admin.close();
    roller.close();
    server.close();
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  RealApiServer server() {
    return server;
  }

  KubernetesClient admin() {
    return admin;
  }

  SimKubelet kubelet() {
    return requireNonNull(kubelet);
  }

  void twoBrokersRun() {
    kubelet = new SimKubelet(admin, SimKubelet.Processes.NONE);
    kubelet.set("kafka", 2, "broker");
    awaitReading(FIRST, PlatformReading::ready);
    awaitReading(spec(1), PlatformReading::ready);
  }

  void clear() {
    kubelet().close();
    var sets = admin.apps().statefulSets().inNamespace(SimKubelet.NAMESPACE);
    sets.delete();
    admin.policy().v1().podDisruptionBudget().inNamespace(SimKubelet.NAMESPACE).delete();
    var pods = admin.pods().inNamespace(SimKubelet.NAMESPACE);
    pods.withGracePeriod(0).delete();
    await("all is gone")
        .atMost(PATIENCE)
        .until(() -> pods.list().getItems().isEmpty() && sets.list().getItems().isEmpty());
  }

  // --- what a roller sees and does

  Api api() {
    return new Api(roller, SimKubelet.NAMESPACE);
  }

  SnapshotReader reader(Action action) {
    return new SnapshotReader(api(), settings(action));
  }

  KubernetesPlatform platform(Action action) {
    return new KubernetesPlatform(
        api(), reader(action), settings(action), Right.ALWAYS, Clock.systemUTC());
  }

  PlatformReading awaitReading(ServerSpec spec, Predicate<PlatformReading> as) {
    return await("server " + spec.id())
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> platform(Action.EVICT).look(spec), as);
  }

  static KubernetesSettings settings(Action action) {
    var brokers =
        new PodSelection(
            new TreeMap<>(Map.of("app", "kafka")),
            Set.of(Role.BROKER),
            new PodSelection.NodeId.Ordinal(0));
    return new KubernetesSettings(
        Optional.empty(), Optional.empty(), List.of(brokers), "kafka", action, Optional.empty());
  }

  static ServerSpec spec(int id) {
    return new ServerSpec(id, Set.of(Role.BROKER), Optional.empty());
  }

  // --- what an administrator does

  GenericKubernetesResource object(String yaml) {
    return admin.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
  }

  void apply(String file, String more) throws IOException {
    apply(object(Files.readString(MANIFESTS.resolve(file + ".yaml"))), more);
  }

  /** Applied on the server's side, which knows every field and refuses those that it does not. */
  void apply(GenericKubernetesResource object, String more) {
    String plural = object.getKind().toLowerCase(Locale.ROOT) + "s";
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
            new RoleBindingBuilder()
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

  void budget(int allowed) {
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

  void annotate(Map<String, String> annotations) {
    admin
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

  Map<String, String> annotations() {
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
}
