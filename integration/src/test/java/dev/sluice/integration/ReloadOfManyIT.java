package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxyListener;
import dev.sluice.proxy.VirtualClusterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a reload costs where there are many clusters, and where there were many reloads. */
@ExtendWith(KafkaCluster.class)
class ReloadOfManyIT {

  private static final int RELOADS = 20;

  @Test
  void one_of_fifty_is_changed_and_the_others_get_no_action(EmbeddedCluster kafka)
      throws Exception {
    changeOneOf(50, kafka);
  }

  @Test
  @Tag("acceptance")
  void one_of_five_hundred_is_changed_and_the_others_get_no_action(EmbeddedCluster kafka)
      throws Exception {
    changeOneOf(500, kafka);
  }

  private static void changeOneOf(int many, EmbeddedCluster kafka) throws Exception {
    var specs = specs(many, kafka);
    try (var running = RunningProxy.start(specs, RunningProxy.REMAINING)) {
      running.awaitServing();
      var stepped = new ConcurrentLinkedQueue<String>();
      ProxyListener witness = (_, after, step) -> note(stepped, after, step);
      try (var _ = running.proxy().listen(witness)) {
        var changed = specs.get(many / 2);
        var next = new ArrayList<>(specs);
        next.set(many / 2, Reloads.withLimits(changed, 7));
        var report = Reloads.reload(running.proxy(), next.toArray(VirtualClusterSpec[]::new));

        Reloads.switched(report, changed.name(), Way.IN_PLACE);
        assertThat(stepped).isNotEmpty().containsOnly(changed.name());
        System.out.println(
            "ONE OF " + many + " CHANGED: " + report.took().toMillis() + " ms to the result");
      }
    }
  }

  /** That nothing followed from something, as at the end of the start-up, is no action. */
  private static void note(Queue<String> stepped, Life after, Step step) {
    if (!(step instanceof Step.Stayed)) {
      stepped.add(after.name());
    }
  }

  @Test
  void reloads_leave_no_socket_no_thread_and_no_series_behind(EmbeddedCluster kafka)
      throws Exception {
    var here = RunningProxy.spec("orders", kafka);
    var guest = RunningProxy.spec("guest", kafka);
    int otherPorts = FreePorts.inARow(3);
    try (var buffers = LiveBuffers.counted();
        var running = RunningProxy.start(List.of(here), RunningProxy.REMAINING)) {
      running.awaitServing();
      var proxy = running.proxy();
      round(proxy, here, guest, otherPorts);
      var first = Usage.of(running, buffers);
      for (int i = 1; i < RELOADS; i++) {
        round(proxy, here, guest, otherPorts);
      }
      System.out.println("AFTER THE FIRST ROUND: " + first);
      first.awaitAgain(running, buffers);
    }
  }

  /** In place, by handover there and back, one added and removed, one that cannot be prepared. */
  private static void round(
      Proxy proxy, VirtualClusterSpec here, VirtualClusterSpec guest, int otherPorts)
      throws Exception {
    Reloads.reload(proxy, Reloads.withLimits(here, 9_000), guest);
    Reloads.reload(proxy, Reloads.withNodesFrom(here, otherPorts));
    var nowhere = List.of(new Endpoint("nowhere.invalid", 9092));
    Reloads.reload(proxy, Reloads.withServers(here, nowhere));
    Reloads.reload(proxy, here);
  }

  private static List<VirtualClusterSpec> specs(int many, EmbeddedCluster kafka) {
    var like = RunningProxy.spec("like", kafka);
    int first = FreePorts.inARow(2 * many);
    return IntStream.range(0, many)
        .mapToObj(i -> spec(like, "tenant-" + i, first + 2 * i))
        .toList();
  }

  private static VirtualClusterSpec spec(VirtualClusterSpec like, String name, int port) {
    var gateway =
        new GatewaySpec(
            "local",
            Optional.of("127.0.0.1"),
            new Endpoint("127.0.0.1", port),
            port + 1,
            List.of(new NodeIdRange("one", 1, 1)),
            "127.0.0.1");
    return new VirtualClusterSpec(
        name, Duration.ofSeconds(5), like.bootstrapServers(), List.of(gateway), like.limits());
  }
}
