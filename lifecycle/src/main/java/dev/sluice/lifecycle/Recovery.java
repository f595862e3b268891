package dev.sluice.lifecycle;

import java.time.Instant;
import java.util.Optional;

/** Whether a failed cluster is tried again by itself. */
public sealed interface Recovery {

  /** It is, at this time. */
  record RetryAt(Instant at) implements Recovery {}

  /** It is not: only a person, another configuration, removal or shutdown move it. */
  record Exhausted() implements Recovery {}

  /** When it is tried again by itself. */
  default Optional<Instant> nextRetry() {
    return switch (this) {
      case RetryAt(Instant at) -> Optional.of(at);
      case Exhausted() -> Optional.empty();
    };
  }
}
