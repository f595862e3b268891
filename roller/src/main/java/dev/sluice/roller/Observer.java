package dev.sluice.roller;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Policy;

/** Sees the cluster. */
@FunctionalInterface
public interface Observer {

  /**
   * Looks at everything that a decision needs, within a bound.
   *
   * @param memory together with the policy says whether partitions are needed, by far the most
   *     expensive part
   */
  Look look(Memory memory, Policy policy) throws InterruptedException;
}
