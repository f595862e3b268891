package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux tells of a process, see {@code proc_pid_status(5)}. */
final class ProcessReading {

  private static final int BYTES_PER_KIB = 1024;

  private ProcessReading() {}

  /** Bytes of memory that it has now. */
  static long resident(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
  }

  static long parse(String status) {
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
