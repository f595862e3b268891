package dev.sluice.roller;

import dev.sluice.planner.Blocked;
import dev.sluice.planner.Forecast;
import dev.sluice.planner.Plan;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Hears of everything that a roll does, on the thread of the loop, which waits for it. */
public interface RollListener {

  /** A look was taken, and took so long. */
  default void looked(Duration took) {}

  /**
   * How all of it will go, by the look whose plan is told next.
   *
   * @param ahead works it out, each time and on the thread that asks; for any thread
   */
  default void foresaw(Supplier<Forecast> ahead) {}

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
