package dev.sluice.bench;

import java.io.IOException;
import java.util.List;

/**
 * Memory of an arm that was just started, before and after so many connections.
 *
 * <p>Pages that a JVM has touched once stay with it, whether anybody needs them or not: how many
 * there are is a matter of when it collects, which is a matter of how large its heap may be; and
 * what its compilers take and give back is more than a thousand connections hold. So that
 * connections are what is measured, young generations are small and alike, nothing is compiled, and
 * a JVM collects before each reading: that brings what is alive together, to where no page was
 * touched before it was needed.
 */
record IdleCourse(Clients clients, int many) implements Course {

  static final List<String> JVM_OPTIONS = List.of("-Xmn16m", "-Xint");

  /** The first connections load what all of them need. */
  private static final int FIRST = 200;

  private static final int FEW = 1_000;
  private static final double BYTES_PER_KB = 1e3;

  @Override
  public void warm(RunningArm arm) {
    // Each round has an arm of its own.
  }

  @Override
  public List<Sample> take(int round, RunningArm arm) throws IOException, InterruptedException {
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

  private long residentWith(int connections, RunningArm arm)
      throws IOException, InterruptedException {
    clients.ask(LoadRequest.Verb.OPEN, arm, connections);
    arm.collectGarbage();
    return arm.resident().orElseThrow();
  }

  private static double each(long bytes, int connections) {
    return bytes / BYTES_PER_KB / connections;
  }
}
