package dev.sluice.simulation.lifecycle;

import dev.sluice.simulation.InvariantBroken;
import java.util.function.Supplier;

/** What must hold after every event, whatever went wrong. */
public enum Invariant {
  /** A cluster stops only if removal, shutdown or a person's drain was asked of it. */
  A_RELOAD_NEVER_STOPS,
  /** Nothing moves a stopped life. */
  STOPPED_IS_FINAL,
  /** A failed or stopped cluster holds no resource and no connection. */
  FAILED_HOLDS_NOTHING,
  /** What was acquired is released once: never twice, and in the end never not. */
  RELEASED_ONCE,
  /** A cluster fails, and stops serving, for its own reasons alone. */
  FAILURES_STAY_AT_HOME,
  /** A drain, or a former generation, is over by the nearest deadline that was given for it. */
  A_DRAIN_ENDS_BY_ITS_DEADLINE,
  /** With {@code serve: none} no client is admitted before every cluster was prepared. */
  NOBODY_BEFORE_THE_BARRIER,
  /** Once the retries are exhausted only somebody who asks starts another. */
  NO_RETRY_AFTER_EXHAUSTION,
  /** The proxy goes down by itself only under {@code serve: none}, after the last retry. */
  DOWN_ONLY_BY_POLICY,
  /** Only a generation that is prepared, and held, serves. */
  ONLY_PREPARED_ONES_SERVE,
  /** When faults stop, every cluster comes to rest, and the proxy does what its policy says. */
  EVERYTHING_SETTLES;

  InvariantBroken broken(String found) {
    return new InvariantBroken(name(), found);
  }

  void require(boolean holds, Supplier<String> found) {
    if (!holds) {
      throw broken(found.get());
    }
  }
}
