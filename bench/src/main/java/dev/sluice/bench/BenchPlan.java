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
 * @param seed of the order within rounds
 * @param armCpu to which arms are pinned; empty: nothing is pinned
 */
record BenchPlan(
    double gigabytes,
    double warmGigabytes,
    int rounds,
    List<Arm> arms,
    List<Workload> workloads,
    long seed,
    OptionalInt armCpu) {

  BenchPlan {
    arms = List.copyOf(arms);
    workloads = List.copyOf(workloads);
    if (!(gigabytes > 0) || !(warmGigabytes > 0) || rounds < 1) {
      throw new IllegalArgumentException(
          "Expected sizes above 0 and at least one round, found %s GB, %s GB to warm, %d rounds"
              .formatted(gigabytes, warmGigabytes, rounds));
    }
  }

  /** What repeats it. */
  String command() {
    return String.format(
        Locale.ROOT,
        "bench/run --gb %s --warm-gb %s --rounds %d --arms %s --workloads %s --seed %d",
        gigabytes,
        warmGigabytes,
        rounds,
        arms.stream().map(Arm::label).collect(Collectors.joining(",")),
        workloads.stream().map(Workload::label).collect(Collectors.joining(",")),
        seed);
  }

  String pinning() {
    return armCpu.isPresent()
        ? "broker and clients on CPU 0, the arm on CPU " + armCpu.getAsInt() + " (taskset)"
        : "nothing is pinned: taskset or a second CPU is missing";
  }
}
