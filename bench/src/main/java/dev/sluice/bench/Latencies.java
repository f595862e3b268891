package dev.sluice.bench;

import java.util.Arrays;

/** All of them, none rounded: what was counted fits into memory. */
final class Latencies {

  private static final double NANOS_PER_MILLI = 1e6;

  private final long[] sorted;

  private Latencies(long[] sorted) {
    this.sorted = sorted;
  }

  /** Takes over nanoseconds in any order, at least one. */
  static Latencies of(long[] nanos) {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("Expected at least one latency, found none");
    }
    Arrays.sort(nanos);
    return new Latencies(nanos);
  }

  /** The least that such a share of all does not exceed, in milliseconds. */
  double millis(double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)] / NANOS_PER_MILLI;
  }
}
