package dev.sluice.app.run;

import dev.sluice.app.management.Escalation;
import dev.sluice.app.management.LifecycleMeters;
import dev.sluice.app.management.RollMeters;
import dev.sluice.app.reload.ReloadMeters;
import dev.sluice.proxy.Metric;
import dev.sluice.proxy.ProxyMetrics;
import java.util.List;
import java.util.stream.Stream;

/** Everything that Prometheus can be told, beside what the JVM tells of itself. */
public final class ExposedMetrics {

  private ExposedMetrics() {}

  /** By a running proxy, in the order in which a person asks. */
  public static List<Metric> ofProxy() {
    return Stream.of(
            LifecycleMeters.METRICS,
            ProxyMetrics.ALL,
            ProxyMetrics.SHARED,
            ReloadMeters.METRICS,
            Escalation.METRICS,
            RunningProxy.METRICS)
        .flatMap(List::stream)
        .toList();
  }

  /** By {@code sluice roll run --serve}. */
  public static List<Metric> ofRoll() {
    return RollMeters.METRICS;
  }
}
