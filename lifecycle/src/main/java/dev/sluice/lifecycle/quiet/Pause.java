package dev.sluice.lifecycle.quiet;

/** The pause that the client was asked for. */
public sealed interface Pause {

  /** None was asked for yet. */
  record None() implements Pause {}

  /** Asked for in a response that has not left. */
  record Asked(long number, long length) implements Pause {}

  /**
   * The response has left; the client pauses from when it has read it, so at least until then.
   *
   * @param since when it left, or when the client was read again after that
   */
  record Running(long since, long until) implements Pause {}

  /** How much is left, in nanoseconds; all of it while the response has not left. */
  default long left(long at) {
    return switch (this) {
      case None _ -> 0;
      case Asked asked -> asked.length;
      case Running running -> Math.max(0, running.until - at);
    };
  }

  /** Takes note that every response before a number has left. */
  default Pause written(long upTo, long at) {
    return this instanceof Asked(long number, long length) && number < upTo
        ? new Running(at, at + length)
        : this;
  }

  /** What is read from here on may have been sent long before. */
  default Pause unreadUntil(long at) {
    return this instanceof Running running ? new Running(at, running.until) : this;
  }
}
