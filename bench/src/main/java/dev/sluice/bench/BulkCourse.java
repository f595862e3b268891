package dev.sluice.bench;

import java.io.IOException;
import java.util.List;

/** Produces into a new topic, and consumes what was produced. */
final class BulkCourse implements Course {

  private final Clients clients;
  private final Workload workload;
  private final BenchPlan plan;

  BulkCourse(Clients clients, Workload workload, BenchPlan plan) {
    this.clients = clients;
    this.workload = workload;
    this.plan = plan;
  }

  @Override
  public void warm(RunningArm arm) throws IOException {
    take(0, arm, workload.records().count(plan.warmGigabytes()));
  }

  @Override
  public List<Sample> take(int round, RunningArm arm) throws IOException {
    return take(round, arm, workload.records().count(plan.gigabytes()));
  }

  private List<Sample> take(int round, RunningArm arm, int records) throws IOException {
    try (var topic = clients.topic(workload, arm, records)) {
      var produced = topic.ask(LoadRequest.Verb.PRODUCE);
      var consumed = topic.ask(LoadRequest.Verb.CONSUME);
      var samples = new Samples(round, arm.arm());
      samples.add(Metric.PRODUCE_CPU, cpu(produced));
      samples.add(Metric.CONSUME_CPU, cpu(consumed));
      samples.add(Metric.CPU, cpu(produced) + cpu(consumed));
      samples.add(Metric.PRODUCE_RATE, rate(produced));
      samples.add(Metric.CONSUME_RATE, rate(consumed));
      // As if both phases had counted the same bytes.
      samples.add(Metric.RATE, 2 / (1 / rate(produced) + 1 / rate(consumed)));
      samples.addResident(arm);
      return samples.all();
    }
  }

  /** Seconds for 10^9 bytes. */
  private static double cpu(LoadAnswer answer) {
    return answer.cpuSeconds() / bytes(answer) * Workload.GIGABYTE;
  }

  private static double rate(LoadAnswer answer) {
    return bytes(answer) / Samples.MEGABYTE / answer.seconds();
  }

  private static double bytes(LoadAnswer answer) {
    return answer.more().getFirst();
  }
}
