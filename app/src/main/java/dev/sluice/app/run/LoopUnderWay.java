package dev.sluice.app.run;

import dev.sluice.roller.RollLoop;
import java.util.Optional;

/**
 * The loop that has to be stopped when the right to act is lost. The right may be lost before there
 * is a loop: then the loop begins with its stop. Thread-safe.
 */
final class LoopUnderWay {

  private Optional<RollLoop> loop = Optional.empty();
  private Optional<String> why = Optional.empty();

  /** This one runs now. */
  synchronized void begins(RollLoop now) {
    loop = Optional.of(now);
    why.ifPresent(now::stopAfterBatch);
  }

  /** It stops after the batch under way, and so does whoever begins later. */
  synchronized void stop(String because) {
    why = Optional.of(because);
    loop.ifPresent(each -> each.stopAfterBatch(because));
  }
}
