package dev.sluice.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many connections the system lets an arm hold: each takes two file descriptors of it. */
final class Descriptors {

  /** For everything else that an arm opens. */
  private static final int SPARE = 400;

  private Descriptors() {}

  /** As many as are wanted, or as many as there can be. JVMs, like this one, use the hard limit. */
  static int connections(int wanted) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof UnixOperatingSystemMXBean unix
        ? connections(wanted, unix.getMaxFileDescriptorCount())
        : wanted;
  }

  static int connections(int wanted, long limit) {
    return (int) Math.max(1, Math.min(wanted, (limit - SPARE) / 2));
  }
}
