package dev.sluice.kubernetes;

import static dev.sluice.kubernetes.RealCluster.FIRST;
import static dev.sluice.kubernetes.RealCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollRequest;
import io.fabric8.kubernetes.api.model.SecretList;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Pods of a real API server are rolled, with the permissions of the manifests. */
@ExtendWith(SharedRealCluster.class)
@ResourceLock(RealCluster.ALONE)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RealActingTest {

  @TempDir private Path folder;

  private final RealCluster cluster;

  RealActingTest(RealCluster cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void two_brokers_run() {
    cluster.twoBrokersRun();
  }

  @AfterEach
  void clear() {
    cluster.clear();
  }

  @Test
  void a_pod_is_evicted_and_another_of_the_desired_revision_is_waited_for() throws Exception {
    cluster.kubelet().revise("kafka", "two");
    var before = cluster.awaitReading(FIRST, found -> found.revisionDesired().endsWith("two"));
    assertThat(before.revisionRunning()).endsWith("one");

    cluster.platform(Action.EVICT).restart(FIRST, Optional.of(before.since()));

    var after = cluster.awaitReading(FIRST, PlatformReading::ready);
    assertThat(after.revisionRunning()).isEqualTo(after.revisionDesired()).endsWith("two");
    assertThat(cluster.kubelet().made("kafka-0")).isEqualTo(2);
    assertThat(cluster.kubelet().made("kafka-1")).isEqualTo(1);
  }

  @Test
  void a_whole_roll_needs_no_more_than_the_role_of_the_manifests() throws Exception {
    cluster.kubelet().revise("kafka", "two");

    var outcome = PodRoll.of(cluster.api(), RealCluster.settings(Action.EVICT));

    assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Finished.class);
    assertThat(cluster.kubelet().made("kafka-0")).isEqualTo(2);
    assertThat(cluster.kubelet().made("kafka-1")).isEqualTo(2);
  }

  @Test
  void a_budget_that_allows_nothing_is_seen_and_refuses_evictions() throws Exception {
    cluster.budget(0);

    assertThat(cluster.platform(Action.EVICT).look(FIRST).forbidden().orElse(""))
        .contains("the disruption budget kafka allows no eviction now");
    var pod = cluster.reader(Action.EVICT).read().podOf(0).orElseThrow();
    var patience = new Eviction.Patience(Duration.ofSeconds(1), Duration.ofMillis(100));
    assertThatThrownBy(() -> new Eviction(cluster.api(), Right.ALWAYS, patience).of(pod))
        .hasMessageContaining("no eviction of pod kafka-0 was allowed for 1s");
    assertThat(cluster.kubelet().made("kafka-0")).isEqualTo(1);
  }

  @Test
  void a_deletion_names_one_pod_and_not_the_next_of_its_name() throws Exception {
    var first = cluster.reader(Action.DELETE).read().podOf(0).orElseThrow();
    cluster.platform(Action.DELETE).restart(FIRST, Optional.empty());
    cluster.awaitReading(FIRST, PlatformReading::ready);

    assertThatThrownBy(
            () -> cluster.api().delete(Api.Kind.PODS, first.name(), KubernetesPlatform.only(first)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.code()).isEqualTo(ApiException.CONFLICT));
    assertThat(cluster.kubelet().made("kafka-0")).isEqualTo(2);
  }

  @Test
  void a_request_on_an_owner_has_the_time_that_the_server_noted() throws Exception {
    var before = Instant.now().minusSeconds(2);
    cluster.annotate(Map.of(Annotations.RESTART, "new disks"));

    assertThat(cluster.platform(Action.EVICT).look(FIRST).asked())
        .singleElement()
        .satisfies(
            asked -> {
              assertThat(asked.at()).isBetween(before, Instant.now().plusSeconds(1));
              assertThat(asked.detail()).contains("new disks");
            });
    new RequestsMet(cluster.api(), cluster.reader(Action.EVICT)).takeAway();
    assertThat(cluster.annotations()).as("not met yet").containsKey(Annotations.RESTART);
    cluster.annotate(Map.of(Annotations.RESTART, "2020-01-01T00:00:00Z"));
    new RequestsMet(cluster.api(), cluster.reader(Action.EVICT)).takeAway();
    assertThat(cluster.annotations()).as("met").doesNotContainKey(Annotations.RESTART);
  }

  @Test
  void of_two_only_one_has_the_lease_and_only_one_writes_the_journal() throws Exception {
    var lost = new ArrayList<String>();
    var other = new LeaseWatch(cluster.api(), "c", "other", LeaseWatch.DURATION);
    try (var lease =
        new LeaseWatch(cluster.api(), "c", "one", LeaseWatch.DURATION)
            .attempt(lost::add)
            .orElseThrow()) {
      assertThat(lease.held()).isTrue();
      assertThat(other.attempt(lost::add)).isEmpty();
    }
    other.attempt(lost::add).orElseThrow().close();

    var request = new RollRequest(Instant.EPOCH, Optional.empty(), Set.of());
    ConfigMapJournal.open(cluster.api(), "c").asked(request);
    var one = ConfigMapJournal.open(cluster.api(), "c");
    var two = ConfigMapJournal.open(cluster.api(), "c");
    one.asked(new RollRequest(Instant.EPOCH, Optional.of("another"), Set.of()));
    assertThatThrownBy(() -> two.asked(request)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void a_permission_that_is_missing_is_named() throws Exception {
    cluster
        .admin()
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
                  assertThatThrownBy(() -> cluster.platform(Action.EVICT).look(FIRST))
                      .hasMessageStartingWith(
                          "expected the permission to list pods in namespace kafka, found that it is missing"));
    } finally {
      cluster.apply("base/role", "");
      cluster.awaitReading(FIRST, PlatformReading::ready);
    }
  }

  @Test
  void a_roll_whose_lease_is_taken_stops_after_the_step_under_way_and_another_ends_it()
      throws Exception {
    var thief = new LeaseThief(cluster.admin(), PodRoll.Step.ABOUT_TO_END, 1);
    cluster.kubelet().revise("kafka", "two");

    var outcome = PodRoll.as("first", cluster.api(), RealCluster.settings(Action.EVICT), thief);

    assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Stopped.class);
    assertThat(outcome.sentence()).contains("thief took it");
    assertThat(cluster.kubelet().made("kafka-0") + cluster.kubelet().made("kafka-1")).isEqualTo(3);
    var end =
        PodRoll.as(LeaseThief.NAME, cluster.api(), RealCluster.settings(Action.EVICT), _ -> {});
    assertThat(end).as(end.sentence()).isInstanceOf(Outcome.Finished.class);
    assertThat(cluster.kubelet().made("kafka-0")).isEqualTo(2);
    assertThat(cluster.kubelet().made("kafka-1")).isEqualTo(2);
  }

  @Test
  void inside_a_cluster_the_account_of_the_manifests_rolls_and_may_do_nothing_else()
      throws Exception {
    String token = RealApiServer.token(cluster.admin(), "sluice-roll");
    cluster.kubelet().revise("kafka", "two");
    try (var _ =
            new OwnPod(folder, token, "127.0.0.1", cluster.server().port())
                .certificates(cluster.server().certificates());
        var inside = KubernetesCluster.open(RealCluster.settings(Action.EVICT))) {
      var outcome = PodRoll.as("inside", inside.api(), RealCluster.settings(Action.EVICT), _ -> {});

      assertThat(outcome).as(outcome.sentence()).isInstanceOf(Outcome.Finished.class);
      assertThat(cluster.kubelet().made("kafka-0")).isEqualTo(2);
      assertThat(cluster.kubelet().made("kafka-1")).isEqualTo(2);
      assertThatThrownBy(() -> inside.api().list(Api.Kind.SECRETS, "", SecretList.class))
          .hasMessageContaining("expected the permission to list secrets in namespace kafka");
    }
  }
}
