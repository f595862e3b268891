package dev.sluice.lifecycle.quiet;

/**
 * How fast {@link Stagger} goes on.
 *
 * @param markBy when whatever is ahead is marked at once, in nanoseconds
 * @param reconnectWait how long a client may take to come back to a node and be answered there, in
 *     nanoseconds
 */
public record Pacing(long markBy, long reconnectWait) {

  Pacing markBy(long sooner) {
    return new Pacing(sooner, reconnectWait);
  }
}
