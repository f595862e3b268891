package dev.sluice.proxy;

/** Whether a connection is kept though nothing moves on it. */
enum Idleness {
  NONE,
  /** Nothing moved for longer than the idle time-out. */
  IDLE,
  /** No request has been answered, and there was time enough. */
  NEVER_SERVED;

  /**
   * Judges.
   *
   * @param served whether some request was answered
   * @param waiting whether the client waits for an answer: how long that may take is for the broker
   *     and the client to say
   * @param age since it was opened, in nanoseconds
   * @param still since anything moved, in nanoseconds
   */
  static Idleness of(boolean served, boolean waiting, long age, long still, NetworkSpec network) {
    if (waiting) {
      return NONE;
    }
    if (!served && age > network.unauthenticatedIdleTimeout().toNanos()) {
      return NEVER_SERVED;
    }
    return still > network.idleTimeout().toNanos() ? IDLE : NONE;
  }
}
