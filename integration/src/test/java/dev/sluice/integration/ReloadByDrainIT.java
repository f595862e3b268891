package dev.sluice.integration;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A virtual cluster is moved to another Kafka cluster and back, under a producer. */
@ExtendWith(KafkaCluster.class)
class ReloadByDrainIT {

  private static final String NAME = "moving";
  private static final int BETWEEN = 300;

  @Test
  void moves_to_another_kafka_cluster_and_back_lose_and_repeat_nothing(EmbeddedCluster kafka)
      throws Exception {
    move(kafka, 5);
  }

  @Test
  @Tag("acceptance")
  void many_moves_lose_and_repeat_nothing(EmbeddedCluster kafka) throws Exception {
    move(kafka, 50);
  }

  private static void move(EmbeddedCluster kafka, int times) throws Exception {
    var here = RunningProxy.spec(NAME, kafka);
    try (var buffers = LiveBuffers.counted();
        var elsewhere = EmbeddedCluster.start(ClusterPlan.combined(1));
        var proxy = RunningProxy.start(List.of(here), RunningProxy.REMAINING)) {
      proxy.awaitServing();
      MovingLoad.makeTopic(kafka, 3);
      MovingLoad.makeTopic(elsewhere, 1);
      var there = Reloads.withServers(here, RunningProxy.endpoints(elsewhere.bootstrapServers()));
      var arrivals = here.gateways().getFirst().bootstrapAddress();
      var first = Usage.afterOneClient(proxy, arrivals, buffers);
      try (var load = new MovingLoad(new Clients(proxy.bootstrapServers(NAME)))) {
        load.awaitAcknowledged(BETWEEN);
        try (var held = new Arrivals(arrivals)) {
          for (int i = 0; i < times; i++) {
            var next = i % 2 == 0 ? there : here;
            Reloads.movedUnderLoad(Reloads.reload(proxy.proxy(), next), NAME);
            load.awaitAcknowledged(BETWEEN);
          }
          held.assertAllAnswered();
        }
        load.assertEachOnce(times, kafka, elsewhere);
      } finally {
        MovingLoad.removeTopic(kafka);
      }
      first.awaitAgain(proxy, buffers);
    }
  }
}
