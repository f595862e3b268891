package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Linux tells of a process, see {@code proc_pid_stat(5)} and {@code proc_pid_status(5)}.
 *
 * @param cpuSeconds user and system time of all its threads since it began, in steps of 10 ms
 * @param residentBytes of memory
 */
record ProcessReading(double cpuSeconds, long residentBytes) {

  /** {@code USER_HZ}: 100 on every architecture that a JDK 25 runs on. */
  private static final double TICKS_PER_SECOND = 100;

  /** Places of {@code utime} and {@code stime} after the name in parentheses. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;
  private static final int BYTES_PER_KIB = 1024;

  /** Reads it now. */
  static ProcessReading of(long pid) throws IOException {
    Path folder = Path.of("/proc", Long.toString(pid));
    return parse(
        Files.readString(folder.resolve("stat")), Files.readString(folder.resolve("status")));
  }

  static ProcessReading parse(String stat, String status) {
    // The name may hold spaces and parentheses: what counts comes after the last of them.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    return new ProcessReading(ticks / TICKS_PER_SECOND, residentBytes(status));
  }

  private static long residentBytes(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(kib -> Long.parseLong(kib) * BYTES_PER_KIB)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Expected a line VmRSS in the status of a live process, found " + status));
  }
}
