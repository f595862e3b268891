package dev.sluice.lifecycle.quiet;

import java.time.Duration;

/**
 * What is known of the client at the mark.
 *
 * @param courtesy whether it is known to stop sending when it is throttled
 * @param roundTrip between proxy and client, in nanoseconds; 0 where it is not known
 * @param sharing whether the connection has been used for share groups
 */
public record Client(Courtesy courtesy, long roundTrip, boolean sharing) {

  /** What becomes of a request to pause. */
  public enum Courtesy {
    /** Known to pause: Java, franz-go, sarama. Never suspected. */
    HONOURS,
    /** Believed to pause, until a request comes while it should not. */
    UNKNOWN,
    /** Known not to pause: librdkafka. */
    IGNORES
  }

  /** A client of which nothing is known. */
  public static final Client UNKNOWN = new Client(Courtesy.UNKNOWN, 0, false);

  /** The same, as one that is not asked to pause. */
  public Client thatIgnoresPauses() {
    return new Client(Courtesy.IGNORES, roundTrip, sharing);
  }

  Client seenSharing() {
    return sharing ? this : new Client(courtesy, roundTrip, true);
  }

  /** How long requests may still come in that were sent before the client knew of the pause. */
  long stragglers() {
    return Math.max(roundTrip, Bounds.SILENCE.toNanos());
  }

  /** The pause for this client: a slow line gets a longer one, within the bounds. */
  long pause(Terms terms) {
    long needed = stragglers() + Bounds.SILENCE.plus(Bounds.CLOSE_MARGIN).toNanos();
    return Math.min(Math.max(terms.pause(), needed), Bounds.MAX_PAUSE.toNanos());
  }

  @Override
  public String toString() {
    return courtesy + ", " + Duration.ofNanos(roundTrip).toMillis() + " ms away";
  }
}
