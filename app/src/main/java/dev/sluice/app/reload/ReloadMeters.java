package dev.sluice.app.reload;

import dev.sluice.app.reload.ReloadResult.Ending;
import dev.sluice.proxy.Metric;
import dev.sluice.proxy.Metric.Label;
import dev.sluice.proxy.ReloadReport.ClusterReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.stream.Stream;

/** What reloads look like to Prometheus. Every outcome has a series from the first moment. */
public final class ReloadMeters implements ReloadListener {

  private static final Metric RELOADS =
      Metric.counter(
          "sluice.reloads",
          "Reloads that were asked for, by what came of them.",
          "`partly`, `failed`, `invalid` and `unchangeable` want somebody:"
              + " `GET /api/v1/reloads/last` says what was found.",
          Label.of("outcome", "what came of it", ReloadResult.outcomes().stream()));
  private static final Metric DURATION =
      Metric.summary(
          "sluice.reload.duration",
          "From asking for a reload to its end, drains included.",
          "Changes take long to arrive.");
  private static final Metric CLUSTERS =
      Metric.counter(
          "sluice.reload.clusters",
          "Virtual clusters that a reload was about, by what it meant for them.",
          "How many a change of the configuration touched, and how they took it.",
          Label.of(
              "operation",
              "what the configuration meant for it",
              Stream.of("unchanged", "changed", "added", "removed", "retried")),
          Label.of(
              "outcome",
              "what became of it",
              Stream.of(
                  "unchanged",
                  "switched",
                  "begun",
                  "removed",
                  "kept",
                  "rolled-back",
                  "not-added",
                  "failed",
                  "refused",
                  "cancelled",
                  "cut-short")));

  /** All that are built here. */
  public static final List<Metric> METRICS = List.of(RELOADS, DURATION, CLUSTERS);

  private final MeterRegistry registry;
  private final Timer duration;

  public ReloadMeters(MeterRegistry registry) {
    this.registry = registry;
    this.duration = DURATION.newTimer().register(registry);
    ReloadResult.outcomes().forEach(this::reloads);
  }

  @Override
  public void reloaded(ReloadResult result) {
    reloads(result.outcome()).increment();
    duration.record(result.took());
    if (result.ending() instanceof Ending.Done(var report, _)) {
      report.clusters().forEach(this::count);
    }
  }

  private Counter reloads(String outcome) {
    return RELOADS.newCounter(outcome).register(registry);
  }

  private void count(ClusterReport cluster) {
    CLUSTERS
        .newCounter(
            cluster.change().kind(),
            cluster.outcome().map(outcome -> outcome.label()).orElse("unchanged"))
        .register(registry)
        .increment();
  }
}
