package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.kubernetes.RealApiServer;
import dev.sluice.kubernetes.SimKubelet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page about pods has people type is typed, with {@code sluice} and {@code kubectl},
 * against a real API server and real servers. Without a kubelet there are no logs to ask for.
 */
@Tag("acceptance")
class PodGuideIT {

  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final String PLAN = "sluice roll plan";
  private static final String SERVE = "sluice roll serve";
  private static final String PATCH = "kubectl patch statefulset";

  /** The StatefulSet of the page, and the one that there is. */
  private static final String PAGE_SET = "kafka-broker";

  private static final String SET = "combined";

  /** What the answer has in it, by how a command begins. */
  private static final Map<String, String> ANSWERS =
      Map.ofEntries(
          Map.entry(PLAN, "runs revision 'combined-one'"),
          Map.entry("sluice roll run", "done"),
          Map.entry(SERVE, "/readyz tells how it is"),
          Map.entry("kubectl annotate pod", "pod/combined-0 annotated"),
          Map.entry("kubectl annotate statefulset", "statefulset.apps/combined annotated"),
          Map.entry("kubectl annotate kafka", "kafka.kafka.strimzi.io/my-cluster annotated"),
          Map.entry(PATCH, "statefulset.apps/combined patched"),
          Map.entry("cp -r", ""),
          Map.entry("kubectl apply -k", "deployment.apps/sluice-roll created"),
          Map.entry("kubectl get deployment", "0/2"),
          Map.entry("kubectl get lease", "lease.coordination.k8s.io/sluice-roll-"),
          Map.entry("kubectl get event", "RollRestart"),
          Map.entry("kubectl auth can-i", "yes"));

  /** As if Strimzi were there, as far as that matters. */
  private static final String KAFKAS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: kafkas.kafka.strimzi.io }
      spec:
        group: kafka.strimzi.io
        scope: Namespaced
        names: { kind: Kafka, listKind: KafkaList, plural: kafkas, singular: kafka }
        versions:
          - name: v1beta2
            served: true
            storage: true
            schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
      """;

  private static final String KAFKA =
      """
      apiVersion: kafka.strimzi.io/v1beta2
      kind: Kafka
      metadata: { name: my-cluster, namespace: kafka }
      """;

  @TempDir private Path folder;

  @BeforeEach
  void there_is_an_api_server() {
    if (!RealApiServer.available()) {
      System.out.println("SKIPPED: PodGuideIT, no kube-apiserver in " + RealApiServer.programs());
    }
    assumeTrue(RealApiServer.available());
  }

  @Test
  void what_the_page_about_pods_has_people_type_does_what_it_says() throws Exception {
    try (var bench = PodBench.startReal(ClusterPlan.combined(3), folder)) {
      var shell = shell(bench);
      operated(shell);
      bench.revise("two");
      Set<String> answered = new HashSet<>();
      for (var typed : GuidePage.read("docs/guide/roll-kubernetes.md").typed()) {
        var beginning =
            ANSWERS.keySet().stream()
                .filter(typed.command()::startsWith)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody expects " + typed.command()));
        if (beginning.equals(PATCH)) {
          isRefusedWith(typed.command(), bench, shell);
        }
        if (beginning.equals(SERVE)) {
          serve(bench, shell, typed.command());
        } else {
          assertThat(done(shell, typed.command()))
              .contains(ANSWERS.get(beginning))
              .doesNotContain("unknown");
        }
        answered.add(beginning);
      }
      assertThat(answered).isEqualTo(ANSWERS.keySet());
      did(bench, shell);
    }
  }

  /** What a roll says about a StatefulSet that does so itself is what the page has people type. */
  private static void isRefusedWith(String command, PodBench bench, GuideShell shell)
      throws Exception {
    done(
        shell,
        PATCH + " combined -p '{\"spec\":{\"updateStrategy\":{\"type\":\"RollingUpdate\"}}}'");
    bench.revise("two");
    assertThat(shell.said(PLAN + " -c roll.yaml"))
        .contains("rolls its pods itself; let it not: " + command.replace(PAGE_SET, SET));
  }

  private static void did(PodBench bench, GuideShell shell) throws Exception {
    assertThat(bench.pods()).allSatisfy(pod -> assertThat(bench.kubelet().made(pod)).isEqualTo(2));
    assertThat(done(shell, "kubectl get statefulset combined -o yaml")).contains("type: OnDelete");
    assertThat(done(shell, "kubectl get kafka my-cluster -o yaml"))
        .contains("strimzi.io/pause-reconciliation: \"true\"");
    bench.revise("two");
    assertThat(shell.said(PLAN + " -c roll.yaml"))
        .contains("annotation strimzi.io/manual-rolling-update of pod combined-0")
        .contains("annotation sluice.dev/restart of StatefulSet combined: new disks");
  }

  private static String done(GuideShell shell, String command) throws Exception {
    var said = shell.said(command + "\necho \"exit status $?\"");
    assertThat(said).as(command).endsWith("exit status 0\n");
    return said;
  }

  /** Until it acts, and then until it is told to stop. */
  private void serve(PodBench bench, GuideShell shell, String command) throws Exception {
    var output = Files.createTempFile(folder, "serve", ".txt");
    var process = shell.begin("exec " + command, output);
    try {
      await("it has the lease")
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                assertThat(Files.readString(output)).contains(ANSWERS.get(SERVE));
                assertThat(holder(bench)).as(Files.readString(output)).isNotEmpty();
              });
      process.destroy();
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as(Files.readString(output))
          .isTrue();
      assertThat(holder(bench)).as(Files.readString(output)).isEmpty();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String holder(PodBench bench) {
    return bench.client().leases().inNamespace(SimKubelet.NAMESPACE).list().getItems().stream()
        .map(lease -> lease.getSpec().getHolderIdentity())
        .filter(holder -> holder != null && !holder.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** In a folder that has the manifests, with a cluster whose names are not those of the page. */
  private GuideShell shell(PodBench bench) throws Exception {
    Files.createSymbolicLink(
        folder.resolve("kubectl"), RealApiServer.programs().resolve("kubectl").toRealPath());
    var shell =
        GuideShell.in(folder)
            .within(LIMIT)
            .having("KUBECONFIG", bench.kubeconfig().toRealPath().toString())
            .having("HOME", folder.toString())
            .with(PAGE_SET, SET)
            .with("--host 0.0.0.0", "--host 127.0.0.1 --port 0");
    var manifests = Path.of("..", "kubernetes", "manifests").toRealPath();
    done(shell, "mkdir kubernetes && cp -r " + manifests + " kubernetes/");
    return shell;
  }

  private void operated(GuideShell shell) throws Exception {
    Files.writeString(folder.resolve("kafkas.yaml"), KAFKAS);
    Files.writeString(folder.resolve("kafka.yaml"), KAFKA);
    done(shell, "kubectl apply -f kafkas.yaml");
    done(
        shell,
        "kubectl wait --for=condition=Established crd/kafkas.kafka.strimzi.io --timeout=90s");
    await("kafkas are served")
        .atMost(LIMIT)
        .untilAsserted(() -> done(shell, "kubectl apply -f kafka.yaml"));
  }
}
