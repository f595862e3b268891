package dev.sluice.bench;

import java.io.IOException;
import java.util.List;

/** Memory of an arm that was just started, before and after so many connections. */
record IdleCourse(Clients clients, int many) implements Course {

  /** The first connections load what all of them need. */
  private static final int FIRST = 200;

  private static final int FEW = 1_000;
  private static final double BYTES_PER_KB = 1e3;

  @Override
  public void warm(RunningArm arm) {
    // Each round has an arm of its own.
  }

  @Override
  public List<Sample> take(int round, RunningArm arm) throws IOException {
    var samples = new Samples(round, arm.arm());
    try {
      long before = residentWith(FIRST, arm);
      samples.add(Metric.IDLE_FEW, each(residentWith(FEW, arm) - before, FEW - FIRST));
      samples.add(Metric.IDLE_MANY, each(residentWith(many, arm) - before, many - FIRST));
      samples.addResident(arm);
      return samples.all();
    } finally {
      clients.ask(LoadRequest.Verb.CLOSE, arm, 0);
    }
  }

  private long residentWith(int connections, RunningArm arm) throws IOException {
    clients.ask(LoadRequest.Verb.OPEN, arm, connections);
    return arm.resident().orElseThrow();
  }

  private static double each(long bytes, int connections) {
    return bytes / BYTES_PER_KB / connections;
  }
}
