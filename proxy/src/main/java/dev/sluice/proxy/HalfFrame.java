package dev.sluice.proxy;

/**
 * Watches one direction of a connection for a frame that has begun and does not go on. Bytes of a
 * header are no progress of their own: it has to be whole in time. While its sender is not read
 * there is nothing to blame it for.
 *
 * <p>Written on the connection's event loop; {@link #isStuck} may be asked from elsewhere.
 */
final class HalfFrame {

  private volatile boolean begun;
  private volatile long progressedAt;
  private boolean inHeader;

  /**
   * Bytes have come and were taken.
   *
   * @param now in nanoseconds of {@link System#nanoTime}
   * @param withinHeader whether the last of them belong to a header that is not whole
   * @param withinBody whether the last of them belong to a body that is not
   */
  void came(long now, boolean withinHeader, boolean withinBody) {
    boolean half = withinHeader || withinBody;
    if (half && !(withinHeader && inHeader)) {
      progressedAt = now;
    }
    inHeader = withinHeader;
    if (begun != half) {
      begun = half;
    }
  }

  /** Its sender was not read, and is from now on: its time begins anew. */
  void isReadAgain(long now) {
    if (begun) {
      progressedAt = now;
    }
  }

  /** It is over, or comes from somebody else from here on. */
  void forget() {
    inHeader = false;
    begun = false;
  }

  /** Whether a frame has begun, and has not gone on for longer than so many nanoseconds. */
  boolean isStuck(long now, long limitNanos) {
    return begun && now - progressedAt > limitNanos;
  }
}
