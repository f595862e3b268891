package dev.sluice.bench;

/**
 * When records are due, in nanoseconds from the beginning; the first one at once.
 *
 * @param perSecond how many, above 0
 */
record Schedule(double perSecond) {

  private static final double NANOS = 1e9;

  Schedule {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("Expected some records in a second, found " + perSecond);
    }
  }

  static long seconds(int count) {
    return (long) (count * NANOS);
  }

  /** When one is due, counted from 0. */
  long dueAt(int place) {
    return (long) (place / perSecond * NANOS);
  }

  /** How many are due until then. */
  int dueBy(long nanos) {
    return nanos < 0 ? 0 : (int) (nanos / NANOS * perSecond) + 1;
  }
}
