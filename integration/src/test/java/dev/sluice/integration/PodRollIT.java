package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.kubernetes.RealApiServer;
import dev.sluice.kubernetes.SimKubelet;
import dev.sluice.kubernetes.SimKubelet.Fate;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Real servers behind pods that are objects of an API server, and nothing else, are rolled. */
@Tag("acceptance")
class PodRollIT {

  private static final Duration ROLL_LIMIT = Duration.ofMinutes(8);
  private static final String COMMITS_ARE_REPEATED = "java-consumer: exceptions";

  private static final String LIST_OF_SETS = "GET /apis/apps/v1/namespaces/kafka/statefulsets";

  /** The takeover happens somewhere in the first seconds of a roll. */
  private static final int MOMENT_MILLIS = 15_000;

  @TempDir private Path folder;

  @Test
  void pods_of_another_revision_are_made_anew_one_by_one_once_their_budget_allows()
      throws Exception {
    try (var bench = PodBench.start(ClusterPlan.combined(3), folder)) {
      budget(bench, 0);
      bench.revise("two");
      try (var roll = bench.sluice("run", "-o", "json")) {
        roll.awaitErrors("the disruption budget kafka allows no eviction now");
        assertThat(bench.pods()).allSatisfy(pod -> assertThat(made(bench, pod)).isEqualTo(1));
        budget(bench, 1);

        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
        assertThat(RollBench.batches(RollBench.result(roll)))
            .hasSize(3)
            .allMatch(batch -> batch.size() == 1);
      }
      assertThat(bench.pods()).allSatisfy(pod -> assertThat(made(bench, pod)).isEqualTo(2));
      assertThat(bench.client().v1().events().inNamespace(SimKubelet.NAMESPACE).list().getItems())
          .as("events")
          .hasSize(6)
          .allSatisfy(event -> assertThat(event.getMessage()).contains("runs revision"));
    }
  }

  @Test
  void controllers_and_brokers_that_are_pods_are_rolled_and_nothing_is_lost() throws Exception {
    try (var bench = PodBench.start(ClusterPlan.separate(3, 3), folder)) {
      rollUnderLoad(bench);
    }
  }

  @Test
  void a_real_api_server_and_the_account_of_a_pod_make_no_difference() throws Exception {
    if (!RealApiServer.available()) {
      System.out.println("SKIPPED: no kube-apiserver in " + RealApiServer.programs());
    }
    assumeTrue(RealApiServer.available());
    try (var bench = PodBench.startReal(ClusterPlan.separate(3, 3), folder)) {
      rollUnderLoad(bench);
    }
  }

  @Test
  void the_second_replica_takes_over_from_one_that_was_killed_and_restarts_nothing_twice()
      throws Exception {
    long seed = System.nanoTime();
    System.out.println("moment by seed " + seed);
    try (var bench = PodBench.start(ClusterPlan.combined(3), folder);
        var one = bench.sluice("serve", "--port", "0");
        var other = bench.sluice("serve", "--port", "0")) {
      await("somebody holds the lease").atMost(ROLL_LIMIT).until(() -> !holder(bench).isEmpty());
      bench.revise("two");
      var moment = Duration.ofMillis(new Random(seed).nextInt(MOMENT_MILLIS));
      var acting = holder(bench).contains("/" + one.pid() + "/") ? one : other;
      assertThat(acting.endsWithin(moment)).as(acting.said()).isFalse();
      acting.signal("KILL");

      await("all pods are of the new revision, and well")
          .atMost(ROLL_LIMIT)
          .untilAsserted(
              () ->
                  assertThat(bench.pods())
                      .as((acting == one ? other : one).said())
                      .allSatisfy(pod -> assertThat(bench.well(pod, "two")).isTrue()));
      assertThat(bench.pods()).allSatisfy(pod -> assertThat(made(bench, pod)).isEqualTo(2));
    }
  }

  @Test
  void who_serves_waits_for_a_kafka_that_is_silent_and_is_alive_and_not_ready() throws Exception {
    try (var bench = PodBench.start(ClusterPlan.combined(1), folder)) {
      var kafka = bench.serverOf("combined-0");
      kafka.stop();
      try (var serve = bench.sluice("serve", "--port", "0")) {
        serve.awaitErrors("Waits for the cluster: Expected a Kafka cluster at ");
        assertThat(Probe.of(serve, "/livez").status()).as(serve.said()).isEqualTo(200);
        var ready = Probe.of(serve, "/readyz");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body()).contains("waits for the cluster: Expected a Kafka cluster at ");
        kafka.start();

        awaitActing(bench, serve);
      }
    }
  }

  @Test
  void who_serves_waits_for_an_api_that_refuses_and_is_alive_and_not_ready() throws Exception {
    try (var bench = PodBench.start(ClusterPlan.combined(1), folder)) {
      bench.api().refuse(LIST_OF_SETS, 403, "not yet");
      try (var serve = bench.sluice("serve", "--port", "0")) {
        serve.awaitErrors(
            "Waits for the cluster: expected the permission to list statefulsets in namespace kafka");
        assertThat(Probe.of(serve, "/livez").status()).as(serve.said()).isEqualTo(200);
        assertThat(Probe.of(serve, "/readyz").status()).isEqualTo(503);
        bench.api().allow(LIST_OF_SETS);

        awaitActing(bench, serve);
      }
    }
  }

  @ParameterizedTest
  @MethodSource
  void a_pod_that_does_not_start_halts_the_roll_with_one_server_down(Fate fate, String said)
      throws Exception {
    try (var bench = PodBench.start(ClusterPlan.combined(3), folder)) {
      bench.pods().forEach(pod -> bench.kubelet().fateOfNext(pod, fate));
      bench.revise("two");
      try (var roll = bench.sluice("run", "-o", "json")) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isEqualTo(3);
        assertThat(RollBench.result(roll).path("outcome").path("sentence").asText()).contains(said);
      }
      assertThat(bench.kafka().facts().stream().filter(facts -> !facts.alive())).hasSize(1);
    }
  }

  static Stream<Arguments> a_pod_that_does_not_start_halts_the_roll_with_one_server_down() {
    return Stream.of(
        Arguments.of(
            new Fate.Unschedulable("0/3 nodes are available: 3 Insufficient memory."),
            "0/3 nodes are available: 3 Insufficient memory."),
        Arguments.of(
            new Fate.Waits("ImagePullBackOff", "Back-off pulling image"),
            "(ImagePullBackOff): Back-off pulling image"),
        Arguments.of(new Fate.Crashes(1, "log.dirs is not writable"), "log.dirs is not writable"));
  }

  // --- words of the tests

  private static void rollUnderLoad(PodBench bench) throws Exception {
    var plan = AuditPlan.of(bench.kafka().bootstrapServers());
    var clients = Selection.parse("java-idempotent,java-consumer");
    try (var audit =
        Audit.start(plan.withClients(clients).withLoad(new Load(50, 200)), new LogbackSource())) {
      assertThat(audit.awaitWarm(System.out::println)).as("clients without progress").isEmpty();
      audit.enter(Window.EVENT);
      try (var watch = new IsrWatch(bench.kafka())) {
        bench.revise("two");
        try (var roll = bench.sluice("run", "-o", "json")) {
          assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
        }
        assertThat(watch.below()).as("partitions below their minimum").isEmpty();
      }
      var report = audit.finish();
      var verdict = Limits.DEFAULT.judge(report);
      assertThat(verdict.breaches())
          .as(String.join("\n", ReportTable.lines(report, verdict)))
          .filteredOn(breach -> !breach.startsWith(COMMITS_ARE_REPEATED))
          .isEmpty();
    }
    assertThat(bench.pods()).allSatisfy(pod -> assertThat(made(bench, pod)).isEqualTo(2));
  }

  private static void awaitActing(PodBench bench, SluiceProcess serve) {
    await("it acts, and is ready")
        .atMost(ROLL_LIMIT)
        .untilAsserted(
            () -> {
              assertThat(holder(bench)).as(serve.said()).isNotEmpty();
              assertThat(Probe.of(serve, "/readyz").status()).as(serve.said()).isEqualTo(200);
            });
  }

  /** What an end point of a process that serves answers. */
  private record Probe(int status, String body) {

    private static final Pattern ADDRESS = Pattern.compile("(http://\\S+)/readyz tells how it is");

    static Probe of(SluiceProcess serve, String path) throws Exception {
      var address = ADDRESS.matcher(serve.said());
      assertThat(address.find()).as(serve.said()).isTrue();
      try (var http = HttpClient.newHttpClient()) {
        var answer =
            http.send(
                HttpRequest.newBuilder(URI.create(address.group(1) + path)).build(),
                BodyHandlers.ofString());
        return new Probe(answer.statusCode(), answer.body());
      }
    }
  }

  private static int made(PodBench bench, String pod) {
    return bench.kubelet().made(pod);
  }

  private static String holder(PodBench bench) {
    return bench.client().leases().inNamespace(SimKubelet.NAMESPACE).list().getItems().stream()
        .map(lease -> lease.getSpec().getHolderIdentity())
        .findFirst()
        .orElse("");
  }

  private static void budget(PodBench bench, int allowed) {
    bench
        .client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName("kafka")
                .withNamespace(SimKubelet.NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "kafka")
                .endSelector()
                .endSpec()
                .withNewStatus()
                .withDisruptionsAllowed(allowed)
                .withCurrentHealthy(3)
                .withDesiredHealthy(3 - allowed)
                .withExpectedPods(3)
                .endStatus()
                .build())
        .createOr(NonDeletingOperation::update);
  }
}
