package dev.sluice.roller;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a loop goes, beside its policy.
 *
 * @param pause between looks, at least; a look that takes longer is followed by a pause as long as
 *     itself, so that a large cluster is not kept busy by being looked at
 * @param quiet how long nobody else may have started a server before we act again
 * @param until no batch begins after it
 */
public record LoopSettings(Duration pause, Duration quiet, Optional<Instant> until) {

  public static final LoopSettings DEFAULT =
      new LoopSettings(Duration.ofSeconds(1), Duration.ofMinutes(2), Optional.empty());

  public LoopSettings withUntil(Optional<Instant> instant) {
    return new LoopSettings(pause, quiet, instant);
  }
}
