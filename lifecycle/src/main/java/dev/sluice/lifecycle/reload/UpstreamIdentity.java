package dev.sluice.lifecycle.reload;

import java.util.Optional;

/** Whether the Kafka cluster behind the next generation is the one behind the running one. */
public enum UpstreamIdentity {
  /** It is. */
  SAME,
  /** It is another one. */
  OTHER,
  /** At least one of them did not say. */
  UNKNOWN;

  /**
   * By their cluster ids.
   *
   * @param running of the generation that serves; empty: it was never heard
   * @param next of the prepared one; empty: it did not answer
   */
  public static UpstreamIdentity of(Optional<String> running, Optional<String> next) {
    if (running.isEmpty() || next.isEmpty()) {
      return UNKNOWN;
    }
    return running.equals(next) ? SAME : OTHER;
  }
}
