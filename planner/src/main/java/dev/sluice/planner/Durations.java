package dev.sluice.planner;

import java.time.Duration;

/**
 * How long a restart takes, as far as nobody has seen it: from the action until the server is back
 * in its sets, without the hold.
 */
public record Durations(Duration controller, Duration broker, Duration reconfiguration) {

  public static final Durations DEFAULT =
      new Durations(Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofSeconds(5));

  /** The default for a server that was not seen to restart yet. */
  Duration of(Assessment server) {
    return server.broker() ? broker : controller;
  }
}
