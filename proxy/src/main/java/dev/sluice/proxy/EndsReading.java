package dev.sluice.proxy;

/**
 * How far the two ends of a connection are, and what follows. A value.
 *
 * @param clientEnded the client has sent its last byte
 * @param clientGone its socket is closed
 * @param parked something was read and is not forwarded yet
 * @param dialling a broker is being reached
 * @param forwarded all that was read has left for the broker, or never will
 * @param quieting it goes quiet: that has the say
 * @param ending both sides are being told the end
 * @param unanswered how many requests were read and whose answers have not left
 */
record EndsReading(
    boolean clientEnded,
    boolean clientGone,
    boolean parked,
    boolean dialling,
    boolean forwarded,
    boolean quieting,
    boolean ending,
    int unanswered) {

  /** What follows. */
  enum Next {
    NOTHING,
    /** The broker is told that nothing more comes; it has still to answer. */
    TELL_BROKER,
    /** Both sides are told the end: nothing is left to do. */
    END
  }

  /** What was read and waits for a broker to be reached is left to do. */
  Next next() {
    if (!clientEnded || parked || dialling || quieting || ending) {
      return Next.NOTHING;
    }
    return unanswered == 0 ? Next.END : Next.TELL_BROKER;
  }

  /** What a client that is gone has sent is still worth a drain's patience. */
  boolean isOver() {
    return clientGone && forwarded;
  }
}
