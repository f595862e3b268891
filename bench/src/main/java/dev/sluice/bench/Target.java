package dev.sluice.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the proxy is to reach, judged by the median.
 *
 * @param atMost whether the bound is the most; else the least
 */
record Target(
    String what,
    Workload workload,
    Function<Findings, Optional<Interval>> figure,
    boolean atMost,
    double bound) {

  private static final double TAIL_SHARE = 1.05;
  private static final double TAIL_MILLIS = 0.3;

  /** All of them. */
  static final List<Target> ALL =
      List.of(
          atMost("CPU s/GB, both ways, × haproxy", Workload.SMALL, Metric.CPU, Arm.HAPROXY, 1.25),
          atMost(
              "CPU s/GB, both ways, × kroxylicious",
              Workload.SMALL,
              Metric.CPU,
              Arm.KROXYLICIOUS,
              0.5),
          new Target(
              "throughput, both ways, × haproxy",
              Workload.SMALL,
              found -> found.ratio(Metric.RATE, Arm.SLUICE, Arm.HAPROXY),
              false,
              0.97),
          atMost("CPU s/GB, both ways, × relay", Workload.LARGE, Metric.CPU, Arm.RELAY, 1.1),
          new Target(
              "p99 above 1.05 × direct + 0.3 ms, in ms",
              Workload.LATENCY,
              found -> found.paired(Metric.P99, Arm.SLUICE, Arm.DIRECT, Target::tailExcess),
              true,
              0),
          atMost(
              "memory of an idle connection (1,000), × relay",
              Workload.IDLE,
              Metric.IDLE_FEW,
              Arm.RELAY,
              1.5),
          atMost(
              "memory of an idle connection (10,000), × relay",
              Workload.IDLE,
              Metric.IDLE_MANY,
              Arm.RELAY,
              1.5),
          own("s until the proxy serves one cluster", Metric.START_ONE, 1.5),
          own("s for `sluice status`", Metric.STATUS, 0.4),
          own("ms of a drain after the last answer", Metric.DRAIN_BEYOND, 500));

  private static double tailExcess(double millis, double direct) {
    return millis - (TAIL_SHARE * direct + TAIL_MILLIS);
  }

  private static Target atMost(
      String what, Workload workload, Metric metric, Arm other, double bound) {
    return new Target(what, workload, found -> found.ratio(metric, Arm.SLUICE, other), true, bound);
  }

  private static Target own(String what, Metric metric, double bound) {
    return new Target(what, Workload.LIFECYCLE, found -> found.of(Arm.SLUICE, metric), true, bound);
  }

  boolean isReachedBy(Interval found) {
    return atMost ? found.median() <= bound : found.median() >= bound;
  }
}
