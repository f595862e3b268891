package dev.sluice.roller;

import dev.sluice.planner.Blocked;
import dev.sluice.planner.Plan;
import java.time.Duration;
import java.util.List;

/** Hears of everything that a roll does, on the thread of the loop, which waits for it. */
public interface RollListener {

  /** A look was taken, and took so long. */
  default void looked(Duration took) {}

  /** A look was taken and a plan was made of it. */
  default void decided(Look look, Plan plan) {}

  /** A second look spoke against a plan. */
  default void dropped(Plan.Act act, List<Blocked> objections) {}

  /** A batch is written down and acted upon now. */
  default void acting(Plan.Act act) {}

  /** It was acted upon. */
  default void acted(Plan.Act act, List<Actuator.Performed> performed) {}

  /** It is over. */
  default void ended(Outcome outcome) {}
}
