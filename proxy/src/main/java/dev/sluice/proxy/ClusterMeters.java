package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.protocol.Apis;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What the data path of one virtual cluster counts. Safe for use from every event loop. Its series
 * disappear with {@link #remove}.
 */
final class ClusterMeters {

  /** API keys from this on are not told apart; Kafka 4.4 has less than a hundred. */
  private static final int MAX_API_KEYS = 256;

  private static final Duration[] LATENCY_BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(30),
  };

  private final MeterRegistry registry;
  private final String virtualCluster;
  private final Set<Meter> registered = ConcurrentHashMap.newKeySet();
  private final LongAdder asked = new LongAdder();
  private final LongAdder finished = new LongAdder();
  private final LongAdder requestBytes = new LongAdder();
  private final LongAdder responseBytes = new LongAdder();
  private final AtomicReferenceArray<ApiMeters> byApi = new AtomicReferenceArray<>(MAX_API_KEYS);
  private final Map<DisconnectCause, Counter> disconnects = new EnumMap<>(DisconnectCause.class);
  private final Map<Limit, Counter> reached = new EnumMap<>(Limit.class);

  private volatile boolean removed;

  private record ApiMeters(Counter requests, Timer latency) {}

  ClusterMeters(
      MeterRegistry registry,
      String virtualCluster,
      IntSupplier connections,
      Supplier<LimitsSpec> limits) {
    this.registry = registry;
    this.virtualCluster = virtualCluster;
    add(
        ProxyMetrics.CONNECTIONS
            .newGauge(connections, IntSupplier::getAsInt, virtualCluster)
            .strongReference(true) // Nobody else holds the supplier.
            .register(registry));
    add(
        ProxyMetrics.IN_FLIGHT
            .newGauge(this, ClusterMeters::inFlight, virtualCluster)
            .register(registry));
    add(
        ProxyMetrics.REQUEST_BYTES
            .newCounter(requestBytes, LongAdder::sum, virtualCluster)
            .register(registry));
    add(
        ProxyMetrics.RESPONSE_BYTES
            .newCounter(responseBytes, LongAdder::sum, virtualCluster)
            .register(registry));
    limit(Limit.MAX_FRAME_SIZE, limits, LimitsSpec::maxFrameSize);
    limit(Limit.MAX_CONNECTIONS, limits, LimitsSpec::maxConnections);
    limit(Limit.MAX_IN_FLIGHT, limits, LimitsSpec::maxInFlight);
    for (var limit : Limit.values()) {
      reached.put(limit, counter(ProxyMetrics.LIMIT_REACHED, limit.label()));
    }
    for (var outcome : Outcome.values()) {
      counter(ProxyMetrics.DRAIN_CONNECTIONS, ProxyMetrics.how(outcome));
    }
    counter(ProxyMetrics.DRAIN_EARLY, "Fetch");
    drains();
    for (var cause : DisconnectCause.values()) {
      disconnects.put(cause, counter(ProxyMetrics.DISCONNECTS, cause.label()));
    }
  }

  private void limit(Limit limit, Supplier<LimitsSpec> limits, ToDoubleFunction<LimitsSpec> value) {
    add(
        ProxyMetrics.LIMIT
            .newGauge(limits, now -> value.applyAsDouble(now.get()), virtualCluster, limit.label())
            .strongReference(true) // Nobody else holds the supplier.
            .register(registry));
  }

  /** Somebody ran into a limit. */
  void reached(Limit limit) {
    Objects.requireNonNull(reached.get(limit)).increment();
  }

  /** A request was read. */
  void asked(short apiKey, long bytes) {
    asked.increment();
    requestBytes.add(bytes);
    of(apiKey).requests.increment();
  }

  /** A response was handed to the client's channel, so many nanoseconds after its request came. */
  void answered(short apiKey, long nanos) {
    of(apiKey).latency.record(nanos, TimeUnit.NANOSECONDS);
  }

  void answeredBytes(int bytes) {
    responseBytes.add(bytes);
  }

  /** So many requests are in flight no more: written, or given up with their connection. */
  void finished(int count) {
    finished.add(count);
  }

  void disconnected(DisconnectCause cause) {
    Objects.requireNonNull(disconnects.get(cause)).increment();
  }

  /** A connection has gone quiet. */
  void wentQuiet(QuietReport report) {
    report
        .outcomes()
        .forEach(
            (outcome, count) ->
                counter(ProxyMetrics.DRAIN_CONNECTIONS, ProxyMetrics.how(outcome))
                    .increment(count));
    report
        .refused()
        .forEach((api, count) -> counter(ProxyMetrics.DRAIN_REFUSED, api).increment(count));
    report
        .unanswered()
        .forEach((api, count) -> counter(ProxyMetrics.DRAIN_UNANSWERED, api).increment(count));
    if (report.earlyAnswers() > 0) {
      counter(ProxyMetrics.DRAIN_EARLY, "Fetch").increment(report.earlyAnswers());
    }
  }

  private Counter counter(Metric metric, String value) {
    return add(metric.newCounter(virtualCluster, value).register(registry));
  }

  /** A drain has ended. */
  void drained(Duration took) {
    drains().record(took);
  }

  private Timer drains() {
    return add(ProxyMetrics.DRAIN_DURATION.newTimer(virtualCluster).register(registry));
  }

  /** Requests read from clients whose responses have not been written. */
  int inFlight() {
    // In this order a request that moves between the two reads is counted, never missing.
    long done = finished.sum();
    return (int) (asked.sum() - done);
  }

  /** The series disappear. */
  void remove() {
    removed = true;
    registered.forEach(registry::remove);
    registered.clear();
  }

  private ApiMeters of(short apiKey) {
    int index = Math.clamp(apiKey, 0, MAX_API_KEYS - 1);
    var meters = byApi.get(index);
    return meters == null
        ? byApi.updateAndGet(index, now -> now == null ? make(apiKey) : now)
        : meters;
  }

  private ApiMeters make(short apiKey) {
    var api = Apis.name(apiKey);
    return new ApiMeters(
        counter(ProxyMetrics.REQUESTS, api),
        add(
            ProxyMetrics.LATENCY
                .newTimer(virtualCluster, api)
                .serviceLevelObjectives(LATENCY_BUCKETS)
                .register(registry)));
  }

  private <M extends Meter> M add(M meter) {
    registered.add(meter);
    if (removed) {
      registry.remove(meter);
    }
    return meter;
  }
}
