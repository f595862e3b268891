package dev.sluice.roller;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import java.io.Closeable;
import java.time.Instant;
import java.util.Optional;

/**
 * What outlives the roller: append-only, and on disk when a method returns.
 *
 * <p>Every method throws {@link java.io.UncheckedIOException} when it could not write, and then
 * nothing may be acted upon.
 */
public interface Journal extends Closeable {

  /** The last roll, unless it came to its end. */
  Optional<Unfinished> unfinished();

  /** A roll begins. */
  void asked(RollRequest request);

  /** A batch is about to be acted upon. */
  void intends(Plan.Act act, Memory before, Memory after);

  /** A roll ended, or paused until somebody asks again. */
  void ended(Outcome outcome, Instant at);

  /**
   * A roll that did not come to its end.
   *
   * @param memory what it knew; nothing when it halted, since a person has looked in between
   */
  record Unfinished(RollRequest request, Memory memory) {}
}
