package dev.sluice.kubernetes;

import static dev.sluice.kubernetes.RealCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.KubernetesSettings.Action;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Pods of a real API server are watched while ways to it are cut and fall silent. */
@ExtendWith(SharedRealCluster.class)
@ResourceLock(RealCluster.ALONE)
class RealWatchTest {

  private static final PodWatch.Pace SOON =
      new PodWatch.Pace(Duration.ofMillis(500), Duration.ofMillis(500));

  private final RealCluster cluster;

  RealWatchTest(RealCluster cluster) {
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
  void a_watch_whose_connection_ends_is_begun_again() throws Exception {
    var wakings = new AtomicInteger();
    try (var relay = new Relay(cluster.server().port());
        var watching =
            KubernetesCluster.of(
                cluster.server().client("roller", relay.port()),
                RealCluster.settings(Action.EVICT));
        var _ = watching.watch(wakings::incrementAndGet)) {
      await("both pods are seen").atMost(PATIENCE).until(() -> wakings.get() >= 2);
      int listed = wakings.get();
      cluster.kubelet().fate("kafka-1", new SimKubelet.Fate.NeverReady());
      await("the watch stands").atMost(PATIENCE).until(() -> wakings.get() > listed);
      int before = relay.accepted();
      relay.sever();
      await("another connection").atMost(PATIENCE).until(() -> relay.accepted() > before);
      int seen = wakings.get();

      cluster.kubelet().fate("kafka-0", new SimKubelet.Fate.NeverReady());

      await("its change is seen").atMost(PATIENCE).until(() -> wakings.get() > seen);
    }
  }

  @Test
  void a_watch_that_is_cut_while_it_begins_is_begun_again() throws Exception {
    var fates = List.of(new SimKubelet.Fate.NeverReady(), new SimKubelet.Fate.Runs());
    for (int round = 0; round < 5; round++) {
      String pod = "kafka-" + round % 2;
      var wakings = new AtomicInteger();
      try (var relay = new Relay(cluster.server().port());
          var watching =
              KubernetesCluster.of(
                  cluster.server().client("roller", relay.port()),
                  RealCluster.settings(Action.EVICT));
          var _ = watching.watch(wakings::incrementAndGet, SOON)) {
        await("a list, and a watch").atMost(PATIENCE).until(() -> relay.accepted() >= 2);
        relay.sever();
        await("both pods are seen").atMost(PATIENCE).until(() -> wakings.get() >= 2);
        int seen = wakings.get();

        cluster.kubelet().fate(pod, fates.get(round / 2 % fates.size()));

        await("its change is seen").atMost(PATIENCE).until(() -> wakings.get() > seen);
      }
    }
  }

  @Test
  void connections_that_fall_silent_are_left_for_others() throws Exception {
    var wakings = new AtomicInteger();
    try (var relay = new Relay(cluster.server().port());
        var watching =
            KubernetesCluster.of(
                cluster.server().client("roller", relay.port()),
                RealCluster.settings(Action.EVICT));
        var _ = watching.watch(wakings::incrementAndGet, SOON)) {
      await("both pods are seen").atMost(PATIENCE).until(() -> wakings.get() >= 2);
      relay.silence();
      int seen = wakings.get();

      cluster.kubelet().fate("kafka-0", new SimKubelet.Fate.NeverReady());

      await("its change is seen").atMost(PATIENCE).until(() -> wakings.get() > seen);
      assertThat(watching.servers()).hasSize(2);
    }
  }
}
