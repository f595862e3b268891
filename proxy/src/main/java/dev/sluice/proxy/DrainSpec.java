package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Bounds;
import java.time.Duration;

/**
 * How a virtual cluster drains.
 *
 * @param timeout the longest that a drain takes; zero cuts at once
 * @param pause for how long a client is asked to send nothing, from {@link Bounds#MIN_PAUSE} to
 *     {@link Bounds#MAX_PAUSE}
 * @param reconnectWait how long a client may take to come back to one node before its connections
 *     to the next are closed, up to {@link Bounds#MAX_RECONNECT_WAIT}
 * @param manner {@link DrainManner#QUIET}, but for measurements
 */
public record DrainSpec(
    Duration timeout, Duration pause, Duration reconnectWait, DrainManner manner) {

  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  public static final DrainSpec DEFAULT = within(DEFAULT_TIMEOUT);

  /** Quietly. */
  public DrainSpec(Duration timeout, Duration pause, Duration reconnectWait) {
    this(timeout, pause, reconnectWait, DrainManner.QUIET);
  }

  /** With the usual pause and wait. */
  public static DrainSpec within(Duration timeout) {
    return new DrainSpec(timeout, Bounds.PAUSE, Bounds.RECONNECT_WAIT);
  }

  /** The same, in another manner. */
  public DrainSpec by(DrainManner other) {
    return new DrainSpec(timeout, pause, reconnectWait, other);
  }
}
