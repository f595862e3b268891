package dev.sluice.lifecycle.reload;

import java.util.OptionalLong;

/**
 * Reloads one after the other: one runs, at most one waits, and a newer one takes the place of the
 * one that waits.
 *
 * @param running the number of the one that runs
 * @param waiting the number of the one that waits; only while one runs
 */
public record Line(OptionalLong running, OptionalLong waiting) {

  /** Nothing runs. */
  public static final Line EMPTY = new Line(OptionalLong.empty(), OptionalLong.empty());

  /**
   * What follows.
   *
   * @param starts the one that runs from now on
   * @param superseded the one that never runs
   */
  public record Turn(Line line, OptionalLong starts, OptionalLong superseded) {}

  /** A reload is asked for. */
  public Turn asked(long number) {
    var one = OptionalLong.of(number);
    return running.isEmpty()
        ? new Turn(new Line(one, OptionalLong.empty()), one, OptionalLong.empty())
        : new Turn(new Line(running, one), OptionalLong.empty(), waiting);
  }

  /** The one that ran has ended. */
  public Turn ended() {
    return new Turn(new Line(waiting, OptionalLong.empty()), waiting, OptionalLong.empty());
  }
}
