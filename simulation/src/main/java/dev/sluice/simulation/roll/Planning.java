package dev.sluice.simulation.roll;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.planner.reading.View;

/** Who decides: the real planner, or a mutant of it. */
@FunctionalInterface
public interface Planning {

  /** As it is. */
  Planning REAL = Planner::next;

  Plan next(View view, Memory memory, Policy policy);
}
