package dev.sluice.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * What a run is to do.
 *
 * @param gigabytes of records' values in each phase
 * @param warmGigabytes that each arm passes before anything counts
 * @param rounds that count, at least 1
 * @param arms without those that cannot be run here
 * @param idleConnections how many are many
 * @param pacedLingerMillis how long a batch may wait for more in the open loop
 * @param seed of the order within rounds
 * @param armCpu to which arms are pinned; empty: nothing is pinned
 */
record BenchPlan(
    double gigabytes,
    double warmGigabytes,
    int rounds,
    List<Arm> arms,
    List<Workload> workloads,
    int idleConnections,
    int pacedLingerMillis,
    long seed,
    OptionalInt armCpu) {

  private static final int MOST_CALIBRATIONS = 3;

  BenchPlan {
    arms = List.copyOf(arms);
    workloads = List.copyOf(workloads);
    if (!(gigabytes > 0) || !(warmGigabytes > 0) || rounds < 1) {
      throw new IllegalArgumentException(
          "Expected sizes above 0 and at least one round, found %s GB, %s GB to warm, %d rounds"
              .formatted(gigabytes, warmGigabytes, rounds));
    }
  }

  /** Those that have something to do with a workload. */
  List<Arm> arms(Workload workload) {
    return workload.arms().stream().filter(arms::contains).toList();
  }

  /** How often it is found out what can be done without an arm. */
  int calibrations() {
    return Math.min(rounds, MOST_CALIBRATIONS);
  }

  /** What repeats one workload. */
  String command(Workload workload) {
    return String.format(
        Locale.ROOT,
        "bench/run --workloads %s --gb %s --warm-gb %s --rounds %d --connections %d --linger %d --arms %s --seed %d",
        workload.label(),
        gigabytes,
        warmGigabytes,
        rounds,
        idleConnections,
        pacedLingerMillis,
        arms(workload).stream().map(Arm::label).collect(Collectors.joining(",")),
        seed);
  }

  String pinning() {
    return armCpu.isPresent()
        ? "broker, stub and clients on CPU 0, the arm on CPU " + armCpu.getAsInt() + " (taskset)"
        : "nothing is pinned: taskset or a second CPU is missing";
  }
}
