package dev.sluice.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * The CPU time of another process, user and system, of all its threads, dead and alive. What {@code
 * /proc} tells comes in steps of 10 ms, a twentieth of what a gigabyte costs; the clock of a
 * process, see {@code clock_getcpuclockid(3)}, tells nanoseconds. Linux on 64 bits.
 */
@SuppressWarnings(
    "restricted") // The run allows native access; there is no other way to these clocks.
final class CpuClock {

  /** {@code CPUCLOCK_SCHED} of the whole process. */
  private static final int SCHEDULED = 2;

  private static final int PROCESS_SHIFT = 3;
  private static final double NANOS = 1e9;

  private static final MethodHandle CLOCK_GETTIME =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

  private CpuClock() {}

  /** Seconds that the process has run so far; NaN if there is none of that id. */
  static double seconds(long pid) {
    int clock = ((int) ~pid << PROCESS_SHIFT) | SCHEDULED;
    try (var arena = Arena.ofConfined()) {
      var time = arena.allocate(JAVA_LONG, 2);
      int status = (int) CLOCK_GETTIME.invokeExact(clock, time);
      return status == 0
          ? time.getAtIndex(JAVA_LONG, 0) + time.getAtIndex(JAVA_LONG, 1) / NANOS
          : Double.NaN;
    } catch (Throwable t) {
      throw new IllegalStateException("Expected clock_gettime to be called", t);
    }
  }
}
