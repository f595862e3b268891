package dev.sluice.bench;

/** What time went by, and what an arm's process used of it, from a moment on. */
final class Span {

  private static final double NANOS = 1e9;

  private final long pid;
  private final long begin;
  private final double cpu;

  private Span(long pid) {
    this.pid = pid;
    this.cpu = cpu(pid);
    this.begin = System.nanoTime();
  }

  /**
   * Begins now.
   *
   * @param pid of the arm's process; 0 if there is none
   */
  static Span of(long pid) {
    return new Span(pid);
  }

  /** It ends now. */
  LoadAnswer end() {
    double seconds = (System.nanoTime() - begin) / NANOS;
    return new LoadAnswer(seconds, cpu(pid) - cpu);
  }

  private static double cpu(long pid) {
    return pid == 0 ? Double.NaN : CpuClock.seconds(pid);
  }
}
