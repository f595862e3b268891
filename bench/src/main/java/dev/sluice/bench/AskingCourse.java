package dev.sluice.bench;

import java.io.IOException;
import java.util.List;

/** Large and small Produce requests to the stub. */
record AskingCourse(Clients clients) implements Course {

  private static final int LARGE_BYTES = 64 << 10;
  private static final int SMALL_BYTES = 1 << 10;
  private static final double MICROS = 1e6;

  @Override
  public void warm(RunningArm arm) throws IOException {
    take(0, arm);
    take(0, arm);
  }

  @Override
  public List<Sample> take(int round, RunningArm arm) throws IOException {
    var samples = new Samples(round, arm.arm());
    var large = clients.ask(LoadRequest.Verb.ASK, arm, LARGE_BYTES);
    samples.add(Metric.STUB_64K_CPU, cpu(large));
    samples.add(Metric.STUB_64K_RATE, requests(large) / large.seconds());
    var small = clients.ask(LoadRequest.Verb.ASK, arm, SMALL_BYTES);
    samples.add(Metric.STUB_1K_CPU, cpu(small));
    samples.add(Metric.STUB_1K_RATE, requests(small) / small.seconds());
    return samples.all();
  }

  private static double cpu(LoadAnswer answer) {
    return answer.cpuSeconds() * MICROS / requests(answer);
  }

  private static double requests(LoadAnswer answer) {
    return answer.more().getFirst();
  }
}
