package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxySpec;
import dev.sluice.proxy.VirtualClusterSpec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Series come and go with the virtual clusters. */
class LifecycleMetersTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void series_of_a_removed_cluster_disappear_and_come_back_with_it() throws Exception {
    var registry = new SimpleMeterRegistry();
    var meters = new LifecycleMeters(registry);
    var orders = orders(Ports.consecutive(2));
    var spec = new ProxySpec(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(orders));
    var proxy = Proxy.start(spec, registry, Clock.systemUTC(), meters);
    try {
      meters.show(proxy, Clock.systemUTC());
      await().atMost(LIMIT).until(() -> isShown(registry));
      var _ = proxy.reconfiguration().remove("orders").orElseThrow();
      await().atMost(LIMIT).until(() -> !isShown(registry));
      var _ = proxy.reconfiguration().add(orders);
      await().atMost(LIMIT).until(() -> isShown(registry));
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(
                          registry
                              .get("sluice.virtual.cluster.state")
                              .tag("state", "serving")
                              .gauge()
                              .value())
                      .isEqualTo(1));
    } finally {
      proxy.stop("the test is over").toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  private static boolean isShown(SimpleMeterRegistry registry) {
    return registry.getMeters().stream()
        .anyMatch(meter -> "orders".equals(meter.getId().getTag("virtual_cluster")));
  }

  private static VirtualClusterSpec orders(int port) {
    var gateway =
        new GatewaySpec(
            "local",
            Optional.of("127.0.0.1"),
            new Endpoint("localhost", port),
            port + 1,
            List.of(new NodeIdRange("default", 0, 0)),
            "localhost");
    return new VirtualClusterSpec(
        "orders",
        Duration.ofSeconds(1),
        List.of(new Endpoint("127.0.0.1", 1)),
        List.of(gateway),
        LimitsSpec.DEFAULT);
  }
}
