package dev.sluice.bench.micro;

import dev.sluice.planner.Forecast;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.View;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Plans for 1,000 servers with 1,000,000 partitions. The aims: both within a second, a view of less
 * than 32 MiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PlannerMicro {

  private static final LargeCluster CLUSTER = new LargeCluster(1_000, 1_000_000, 1);
  private static final Policy AS_MANY_AS_IS_SAFE =
      Policy.DEFAULT.withMaxParallel(CLUSTER.servers());

  private final long usedBefore = usedBytes();
  private final View view = CLUSTER.view();
  private final long retained = usedBytes() - usedBefore;

  /** The next batch alone: what each turn of a roll asks for. */
  @Benchmark
  public Plan next() {
    return Planner.next(view, Memory.EMPTY, AS_MANY_AS_IS_SAFE);
  }

  /** All batches until the end, and what keeps each from being larger: what a person asks for. */
  @Benchmark
  public Forecast forecast() {
    return Planner.forecast(view, Memory.EMPTY, AS_MANY_AS_IS_SAFE);
  }

  /** Says how large the view is; after the figures, so that it is not lost between iterations. */
  @TearDown(Level.Trial)
  public void tellSize() {
    System.out.println(size());
  }

  String size() {
    long compact =
        view.partitions() instanceof Fact.Known(var partitions, _) ? partitions.bytes() : 0;
    return "%n# View of %,d servers and %,d partitions: %,d bytes retained, of them %,d of compact partitions"
        .formatted(CLUSTER.servers(), CLUSTER.partitions(), retained, compact);
  }

  /** Collects first, several times: what the first collection only found, the next one frees. */
  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
