package dev.sluice.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Open loop at a share of what can be produced without an arm, which is found out first. */
final class PacedCourse implements Course {

  private static final double SHARE = 0.35;
  private static final int SECONDS = 4;
  private static final int WARM_SECONDS = 2;
  private static final double NANOS = 1e9;
  private static final double PERCENT = 100;

  private final Clients clients;
  private final BenchPlan plan;
  private final double perSecond;

  private PacedCourse(Clients clients, BenchPlan plan, double perSecond) {
    this.clients = clients;
    this.plan = plan;
    this.perSecond = perSecond;
  }

  /**
   * Finds out how much can be produced.
   *
   * @param direct nothing in between
   */
  static PacedCourse calibrated(Clients clients, BenchPlan plan, RunningArm direct, PrintStream out)
      throws IOException {
    var rates = new ArrayList<Double>();
    for (int i = 0; i < plan.calibrations(); i++) {
      int records = Workload.LATENCY.records().count(plan.gigabytes());
      try (var topic = clients.topic(Workload.LATENCY, direct, records)) {
        var answer = topic.ask(LoadRequest.Verb.PRODUCE);
        rates.add(answer.more().getFirst() / Workload.LATENCY.records().bytes() / answer.seconds());
      }
    }
    double capacity = Interval.of(rates).median();
    out.printf(
        Locale.ROOT,
        "direct can do %.0f records/s; open loop at %.0f%n",
        capacity,
        SHARE * capacity);
    return new PacedCourse(clients, plan, SHARE * capacity);
  }

  double perSecond() {
    return perSecond;
  }

  @Override
  public void warm(RunningArm arm) throws IOException {
    new BulkCourse(clients, Workload.LATENCY, plan).warm(arm);
    take(0, arm, WARM_SECONDS);
  }

  @Override
  public List<Sample> take(int round, RunningArm arm) throws IOException {
    return take(round, arm, SECONDS);
  }

  private List<Sample> take(int round, RunningArm arm, int seconds) throws IOException {
    try (var topic = clients.topic(Workload.LATENCY, arm, 1)) {
      double began = clients.cpuSeconds();
      long begin = System.nanoTime();
      var answer = topic.pace(seconds, perSecond, plan.pacedLingerMillis());
      double wall = (System.nanoTime() - begin) / NANOS;
      var figures = answer.more();
      var samples = new Samples(round, arm.arm());
      samples.add(Metric.P50, figures.get(0));
      samples.add(Metric.P99, figures.get(1));
      samples.add(Metric.P999, figures.get(2));
      samples.add(Metric.PACED_OTHERS, (clients.cpuSeconds() - began) / wall * PERCENT);
      samples.add(Metric.PACED_CPU, answer.cpuSeconds() / figures.getLast() * Workload.GIGABYTE);
      return samples.all();
    }
  }
}
