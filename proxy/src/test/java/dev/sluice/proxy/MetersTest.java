package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class MetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void every_series_is_there_from_the_first_moment() {
    var _ = new ClusterMeters(registry, "one", () -> 0);
    assertThat(registry.getMeters())
        .extracting(meter -> meter.getId().getName())
        .contains(
            "sluice.client.connections",
            "sluice.requests.in.flight",
            "sluice.disconnects",
            "sluice.request.bytes",
            "sluice.response.bytes");
    for (var cause : DisconnectCause.values()) {
      assertThat(registry.get("sluice.disconnects").tag("cause", cause.label()).counter().count())
          .isZero();
    }
  }

  @Test
  void the_number_of_connections_survives_a_garbage_collection() {
    var _ = new ClusterMeters(registry, "one", new AtomicInteger(7)::get);
    System.gc();
    System.gc();
    assertThat(registry.get("sluice.client.connections").gauge().value()).isEqualTo(7);
  }

  @Test
  void the_series_of_a_removed_cluster_disappear_and_stay_away() {
    var meters = new ClusterMeters(registry, "one", () -> 0);
    meters.asked(ApiKeys.HEARTBEAT.id, 100);
    meters.remove();
    meters.asked(ApiKeys.FETCH.id, 100);
    meters.answered(ApiKeys.FETCH.id, 5);
    assertThat(registry.getMeters()).extracting(Meter::getId).isEmpty();
  }

  @Test
  void requests_bytes_and_latency_are_counted() throws Exception {
    var request = Frames.heartbeat(1, 100);
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      try (var client = proxy.connect()) {
        client.write(request);
        client.frame();
      }
      proxy.awaitQuiet();
      assertThat(proxy.value("sluice.request.bytes")).isEqualTo(request.length);
      assertThat(proxy.value("sluice.response.bytes")).isEqualTo(Frames.echoed(request).length);
      assertThat(proxy.registry().get("sluice.requests").tag("api", "Heartbeat").counter().count())
          .isEqualTo(1);
      assertThat(
              proxy
                  .registry()
                  .get("sluice.request.latency")
                  .tag("api", "Heartbeat")
                  .timer()
                  .count())
          .isEqualTo(1);
      assertThat(proxy.value("sluice.client.connections")).isZero();
      assertThat(proxy.value("sluice.requests.in.flight")).isZero();
    }
  }
}
