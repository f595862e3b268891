package dev.sluice.app.reload;

import dev.sluice.app.reload.ReloadResult.Ending;
import dev.sluice.proxy.ReloadReport.ClusterReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** What reloads look like to Prometheus. Every outcome has a series from the first moment. */
public final class ReloadMeters implements ReloadListener {

  private final MeterRegistry registry;
  private final Timer duration;

  public ReloadMeters(MeterRegistry registry) {
    this.registry = registry;
    this.duration =
        Timer.builder("sluice.reload.duration")
            .description("From asking for a reload to its end")
            .register(registry);
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
    return Counter.builder("sluice.reloads")
        .description("Reloads that were asked for, by what came of them")
        .tag("outcome", outcome)
        .register(registry);
  }

  private void count(ClusterReport cluster) {
    Counter.builder("sluice.reload.clusters")
        .description("Virtual clusters that a reload was about, by what it meant for them")
        .tag("operation", cluster.change().kind())
        .tag("outcome", cluster.outcome().map(outcome -> outcome.label()).orElse("unchanged"))
        .register(registry)
        .increment();
  }
}
