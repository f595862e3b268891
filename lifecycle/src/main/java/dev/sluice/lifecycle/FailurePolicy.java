package dev.sluice.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  /**
   * Whether, and when, a cluster that could not be set up is tried again by itself.
   *
   * @param attempt the one that failed, from 1
   * @param at when it failed
   * @param chance from 0 to below 1; spreads the back-off over its upper half, so that clusters
   *     that failed together do not come back together
   */
  public Recovery recoveryAfter(int attempt, Instant at, double chance) {
    return retry
        .filter(some -> some.maxRetries() == Retry.UNLIMITED || attempt <= some.maxRetries())
        .<Recovery>map(some -> new Recovery.RetryAt(at.plus(some.delayAfter(attempt, chance))))
        .orElseGet(Recovery.Exhausted::new);
  }

  /**
   * What follows, for others, from a step of one cluster. Only entering {@code failed} has
   * consequences: removal, shutdown and a person's drain never do.
   */
  public Aftermath after(Step step) {
    if (!(step instanceof Step.Moved(ClusterState.Failed failed, _, Reason reason))) {
      return Aftermath.NOTHING;
    }
    if (failed.recovery() instanceof Recovery.RetryAt) {
      return new Aftermath(List.of(Escalation.FAILED), false, reason.sentence());
    }
    return new Aftermath(
        List.of(Escalation.FAILED, Escalation.RETRIES_EXHAUSTED),
        serve == Serve.NONE,
        reason.sentence());
  }

  /** What is told to whoever wants to know of failures. */
  public enum Escalation {
    /** A cluster entered failed. */
    FAILED,
    /** It is not tried again by itself. */
    RETRIES_EXHAUSTED
  }

  /**
   * What follows from the failure of one cluster.
   *
   * @param escalations to post, in order
   * @param shutsProxyDown whether the proxy shuts down gracefully and exits with 1
   * @param cause why, as a sentence; empty if nothing follows
   */
  public record Aftermath(List<Escalation> escalations, boolean shutsProxyDown, String cause) {

    /** Of any step but one into failed. */
    public static final Aftermath NOTHING = new Aftermath(List.of(), false, "");

    public Aftermath {
      escalations = List.copyOf(escalations);
    }
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

    /** From half of the doubled back-off to all of it. */
    Duration delayAfter(int attempt, double chance) {
      var full = backoff;
      for (int doubled = 1; doubled < attempt && full.compareTo(maxBackoff) < 0; doubled++) {
        full = full.multipliedBy(2);
      }
      long nanos = (full.compareTo(maxBackoff) < 0 ? full : maxBackoff).toNanos();
      long half = nanos / 2;
      return Duration.ofNanos(half + (long) (half * chance));
    }
  }
}
