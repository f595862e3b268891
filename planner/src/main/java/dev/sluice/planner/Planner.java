package dev.sluice.planner;

import dev.sluice.planner.reading.View;
import java.util.List;

/** Decides what the roller does next. */
public final class Planner {

  private Planner() {}

  /**
   * The next plan. Whoever obeys it observes again before asking for another: no plan outlives the
   * view that it was made from, and readings taken before the last action do not decide.
   *
   * @param view what was seen, complete or not
   * @param memory what {@link Memory#after} made of the plans before
   */
  public static Plan next(View view, Memory memory, Policy policy) {
    return new Deciding(view, memory, policy).plan();
  }

  /**
   * Whether a decision about this view needs its partitions. They are by far the most expensive
   * fact, and nobody describes them when there is nothing to do.
   */
  public static boolean looksAtPartitions(View view, Memory memory, Policy policy) {
    return new Deciding(view, memory, policy).looksAtPartitions();
  }

  /**
   * Whether a batch is still allowed, by a fresh look taken immediately before it is acted on and
   * before it is written down.
   *
   * @param act the plan
   * @param memory what the plan was made from
   * @return who of the batch may not be acted upon now, and why; empty when all may, together
   */
  public static List<Blocked> recheck(Plan.Act act, View fresh, Memory memory, Policy policy) {
    return new Deciding(fresh, memory, policy).recheck(act);
  }

  /** How every server is, as of a view. */
  public static List<Assessment> assess(View view, Memory memory, Policy policy) {
    return new Deciding(view, memory, policy).servers();
  }

  /** All that is needed, in batches, as it will go when nothing changes meanwhile. */
  public static Forecast forecast(View view, Memory memory, Policy policy) {
    return new Forecaster(new Deciding(view, memory, policy), memory, policy).forecast();
  }
}
