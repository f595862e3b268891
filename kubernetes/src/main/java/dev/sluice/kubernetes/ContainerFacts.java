package dev.sluice.kubernetes;

import java.time.Instant;
import java.util.Optional;

/**
 * What the kubelet says about one container.
 *
 * @param last how it ended before it was started again
 * @param restarts in place, in the same pod
 */
record ContainerFacts(String name, State state, Optional<Termination> last, int restarts) {

  /** What it does now. */
  sealed interface State {

    /** It does not run yet, or not again. */
    record Waiting(String reason, String message) implements State {}

    /** It runs. */
    record Running(Instant since) implements State {}

    /** It has ended. */
    record Ended(Termination how) implements State {}

    /** The kubelet has said nothing. */
    record Untold() implements State {}
  }

  /**
   * An end.
   *
   * @param message the end of the termination log; may be empty
   * @param at may be the epoch when the kubelet does not know
   */
  record Termination(int exitCode, String reason, String message, Instant at) {
    String sentence() {
      return "it ended at %s with status %d%s%s"
          .formatted(at, exitCode, Text.inBrackets(reason), Text.afterColon(message));
    }
  }
}
