package dev.sluice.bench;

import java.util.OptionalDouble;

/**
 * One phase of one workload through one arm.
 *
 * @param round from 1
 * @param bytes of records' values
 * @param seconds that the clients took
 * @param cpuSeconds of the arm's process, user and system; empty where there is no process
 * @param residentBytes of the arm's process after it; 0 where there is none
 */
record Measured(
    int round,
    Workload workload,
    Phase phase,
    Arm arm,
    long bytes,
    double seconds,
    OptionalDouble cpuSeconds,
    long residentBytes) {

  /** 10^9 bytes. */
  static final double GIGABYTE = 1e9;

  static final double MEGABYTE = 1e6;

  double megabytesPerSecond() {
    return bytes / MEGABYTE / seconds;
  }

  OptionalDouble cpuSecondsPerGigabyte() {
    return cpuSeconds.isPresent()
        ? OptionalDouble.of(cpuSeconds.getAsDouble() / (bytes / GIGABYTE))
        : OptionalDouble.empty();
  }

  double residentMegabytes() {
    return residentBytes / MEGABYTE;
  }
}
