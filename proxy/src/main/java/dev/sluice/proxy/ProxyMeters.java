package dev.sluice.proxy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** What is counted of the proxy and belongs to no virtual cluster. Safe from every thread. */
final class ProxyMeters {

  /** The time-outs, in the order of the documentation. */
  static final Map<Limit, Function<NetworkSpec, Duration>> TIME_OUTS = timeOuts();

  private final Map<Unled, Counter> unled = new EnumMap<>(Unled.class);
  private final Counter acceptingPauses;

  ProxyMeters(MeterRegistry registry, NetworkSpec network) {
    TIME_OUTS.forEach(
        (limit, value) ->
            ProxyMetrics.TIME_LIMIT
                .newGauge(network, now -> value.apply(now).toMillis() / 1_000.0, limit.label())
                .strongReference(true) // It must not depend on who else holds the configuration.
                .register(registry));
    for (var reason : Unled.values()) {
      unled.put(reason, ProxyMetrics.UNLED.newCounter(reason.label()).register(registry));
    }
    if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider buffers) {
      ProxyMetrics.BUFFER_MEMORY
          .newGauge(buffers, now -> now.metric().usedDirectMemory())
          .register(registry);
    }
    ProxyMetrics.BUFFER_MEMORY_LIMIT
        .newGauge(this, _ -> PlatformDependent.maxDirectMemory())
        .strongReference(true)
        .register(registry);
    acceptingPauses = ProxyMetrics.ACCEPTING_PAUSES.newCounter().register(registry);
  }

  private static Map<Limit, Function<NetworkSpec, Duration>> timeOuts() {
    var timeOuts = new LinkedHashMap<Limit, Function<NetworkSpec, Duration>>();
    timeOuts.put(Limit.IDLE, NetworkSpec::idleTimeout);
    timeOuts.put(Limit.UNAUTHENTICATED, NetworkSpec::unauthenticatedIdleTimeout);
    timeOuts.put(Limit.PROGRESS, NetworkSpec::progressTimeout);
    timeOuts.put(Limit.CONNECT, NetworkSpec::connectTimeout);
    timeOuts.put(Limit.TLS_HANDSHAKE, NetworkSpec::tlsHandshakeTimeout);
    return timeOuts;
  }

  /** A client was led nowhere. */
  void unled(Unled reason) {
    Objects.requireNonNull(unled.get(reason)).increment();
  }

  /** Accepting pauses, for want of something. */
  void acceptingPauses() {
    acceptingPauses.increment();
  }
}
