package dev.sluice.lifecycle.quiet;

import java.time.Duration;

/**
 * What a connection is marked with.
 *
 * @param pause for how long the client is asked to send nothing, in nanoseconds
 * @param grace from when on new requests are refused
 * @param deadline when it is closed, whatever is left
 */
public record Terms(Way way, long pause, long grace, long deadline) {

  /** How it is to go quiet; the later one is the stronger. */
  public enum Way {
    /**
     * The client's connection stays, and the broker's, too: what stands between them is switched in
     * a moment without requests.
     */
    BETWEEN,
    /** The client's connection stays: all that is behind it is switched in such a moment. */
    IN_PLACE,
    /** The client's connection ends: in a pause that the client is asked for. */
    PAUSE_AND_CLOSE;

    /** Whether the client's connection stays. */
    public boolean stays() {
      return this != PAUSE_AND_CLOSE;
    }

    private Way orStronger(Way other) {
      return compareTo(other) >= 0 ? this : other;
    }
  }

  public Terms {
    long least = Bounds.MIN_PAUSE.toNanos();
    long most = Bounds.MAX_PAUSE.toNanos();
    if (pause < least || pause > most) {
      throw new IllegalArgumentException(
          "expected a pause from %s to %s, found %s; choose one within"
              .formatted(Bounds.MIN_PAUSE, Bounds.MAX_PAUSE, Duration.ofNanos(pause)));
    }
    if (deadline - grace < 0) {
      throw new IllegalArgumentException(
          "expected the grace to end by the deadline, found it %d ns later"
              .formatted(grace - deadline));
    }
  }

  /**
   * The usual terms: the last part of the drain, two seconds or half of it, is for those who are
   * still there.
   *
   * @param now when the drain began
   */
  public static Terms of(Way way, Duration pause, long now, Duration drainTimeout) {
    long timeout = drainTimeout.toNanos();
    long lastPart = Math.min(Bounds.MAX_LAST_PART.toNanos(), timeout / 2);
    return new Terms(way, pause.toNanos(), now + timeout - lastPart, now + timeout);
  }

  /** Both at once: an end is stronger than a switch, and times may only come nearer. */
  Terms tightenedBy(Terms other) {
    boolean nearer = other.deadline - deadline < 0;
    long sooner = other.grace - grace < 0 ? other.grace : grace;
    return new Terms(
        way.orStronger(other.way), other.pause, sooner, nearer ? other.deadline : deadline);
  }

  /** The same times, another way. */
  public Terms by(Way other) {
    return new Terms(other, pause, grace, deadline);
  }

  /** For who could stay until the grace: what is left of the time, with half of it as grace. */
  Terms lastPart() {
    return new Terms(Way.PAUSE_AND_CLOSE, pause, grace + (deadline - grace) / 2, deadline);
  }

  /** By when a poll has to end, so that there is time for a pause before the grace is over. */
  long pollsEndBy() {
    return grace - 2 * pause;
  }
}
