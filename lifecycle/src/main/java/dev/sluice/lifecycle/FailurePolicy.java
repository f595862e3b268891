package dev.sluice.lifecycle;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What follows when a virtual cluster fails. {@code serve} answers "what about the rest of the
 * proxy?" and applies only once recovery is exhausted; {@code retry} answers "what about this
 * cluster?".
 *
 * @param serve what the proxy serves once a cluster's recovery is exhausted
 * @param retry automatic retries; empty: recovery is exhausted at the first failure
 */
public record FailurePolicy(Serve serve, Optional<Retry> retry) {

  /** No automatic retry, and a proxy that serves nothing once a cluster has failed. */
  public static final FailurePolicy DEFAULT = new FailurePolicy(Serve.NONE, Optional.empty());

  public FailurePolicy {
    Objects.requireNonNull(serve, "serve");
    Objects.requireNonNull(retry, "retry");
  }

  /** What the proxy serves once the recovery of one of its clusters is exhausted. */
  public enum Serve {
    /** Nothing: the proxy shuts down gracefully. */
    NONE,
    /** The other clusters. */
    REMAINING
  }

  /**
   * Automatic retries with back-off.
   *
   * @param maxRetries how often, from 1; {@link #UNLIMITED} for ever
   * @param backoff before the first retry, positive; doubles with each further one
   * @param maxBackoff the most that the back-off grows to; at least {@code backoff}
   */
  public record Retry(int maxRetries, Duration backoff, Duration maxBackoff) {

    /** {@code maxRetries} of a policy that never gives up. */
    public static final int UNLIMITED = -1;

    public Retry {
      if (maxRetries != UNLIMITED && maxRetries < 1) {
        throw new IllegalArgumentException(
            "maxRetries: expected -1 (for ever) or at least 1, found "
                + maxRetries
                + "; leave retry out to have none");
      }
      if (!backoff.isPositive() || maxBackoff.compareTo(backoff) < 0) {
        throw new IllegalArgumentException(
            "expected 0 < backoff <= maxBackoff, found backoff "
                + backoff
                + ", maxBackoff "
                + maxBackoff);
      }
    }
  }
}
