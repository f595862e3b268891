package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.quiet.QuietReport;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class MetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void every_series_is_there_from_the_first_moment() {
    var _ = new ClusterMeters(registry, "one", () -> 0, () -> LimitsSpec.DEFAULT);
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
  void what_is_measured_is_defined_and_what_is_defined_is_measured() {
    var meters = new ClusterMeters(registry, "one", () -> 0, () -> LimitsSpec.DEFAULT);
    meters.asked(ApiKeys.FETCH.id, 100);
    meters.answered(ApiKeys.FETCH.id, 5);
    for (var outcome : Outcome.values()) {
      meters.wentQuiet(quiet(outcome));
    }
    meters.drained(Duration.ofMillis(1));
    new CertificateMeters(registry, "one").show(Map.of("tls", Instant.EPOCH));

    // This registry shows the buckets of a histogram as meters of their own.
    assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()))
        .filteredOn(name -> !name.endsWith(".histogram"))
        .containsAll(ProxyMetrics.ALL.stream().map(Metric::name).toList())
        .isSubsetOf(ProxyMetrics.ALL.stream().map(Metric::name).toList());
    assertThat(registry.find("sluice.drain.connections").counters())
        .extracting(counter -> counter.getId().getTag("how"))
        .containsExactlyInAnyOrder(
            Arrays.stream(Outcome.values()).map(ProxyMetrics::how).toArray(String[]::new));
  }

  /** One connection, with everything that can be told of one. */
  private static QuietReport quiet(Outcome outcome) {
    var once = new TreeMap<>(Map.of("Fetch", 1));
    return new QuietReport(
        new TreeMap<>(Map.of(outcome, 1)), 0, 1, 0, once, once, 0, 0, 0, Duration.ZERO);
  }

  @Test
  void limits_are_told_as_they_are_configured() {
    var _ = new ClusterMeters(registry, "one", () -> 0, () -> new LimitsSpec(1_000, 20, 3));
    assertThat(limit("sluice.limit", "maxFrameSize")).isEqualTo(1_000);
    assertThat(limit("sluice.limit", "maxConnections")).isEqualTo(20);
    assertThat(limit("sluice.limit", "maxInFlight")).isEqualTo(3);

    var _ = new ProxyMeters(registry, Wishes.handshake(Duration.ofMillis(1_500)));
    assertThat(limit("sluice.time.limit", "tlsHandshakeTimeout")).isEqualTo(1.5);
    assertThat(limit("sluice.time.limit", "idleTimeout")).isEqualTo(600);
    assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()))
        .containsAll(ProxyMetrics.SHARED.stream().map(Metric::name).toList());
  }

  private double limit(String metric, String limit) {
    return registry.get(metric).tag("limit", limit).gauge().value();
  }

  @Test
  void every_limit_is_counted_from_the_first_moment() {
    var meters = new ClusterMeters(registry, "one", () -> 0, () -> LimitsSpec.DEFAULT);
    for (var limit : Limit.values()) {
      var counter = registry.get("sluice.limit.reached").tag("limit", limit.label()).counter();
      assertThat(counter.count()).isZero();
      meters.reached(limit);
      assertThat(counter.count()).isEqualTo(1);
    }
  }

  @Test
  void a_value_is_needed_for_every_label() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProxyMetrics.DISCONNECTS.newCounter("one"))
        .withMessageContaining("[virtual_cluster, cause]")
        .withMessageContaining("[one]");
  }

  @Test
  void the_number_of_connections_survives_a_garbage_collection() {
    var _ = new ClusterMeters(registry, "one", new AtomicInteger(7)::get, () -> LimitsSpec.DEFAULT);
    System.gc();
    System.gc();
    assertThat(registry.get("sluice.client.connections").gauge().value()).isEqualTo(7);
  }

  @Test
  void a_certificate_that_is_replaced_keeps_its_series_and_one_that_is_not_shown_has_none() {
    var meters = new CertificateMeters(registry, "one");
    meters.show(Map.of("a", Instant.ofEpochSecond(5), "b", Instant.ofEpochSecond(6)));
    meters.show(Map.of("a", Instant.ofEpochSecond(7)));

    assertThat(registry.get(ProxyMetrics.CERTIFICATE_END.name()).gauges())
        .singleElement()
        .satisfies(gauge -> assertThat(gauge.getId().getTag("gateway")).isEqualTo("a"))
        .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(7));
    meters.show(Map.of());
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void the_series_of_a_removed_cluster_disappear_and_stay_away() {
    var meters = new ClusterMeters(registry, "one", () -> 0, () -> LimitsSpec.DEFAULT);
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
