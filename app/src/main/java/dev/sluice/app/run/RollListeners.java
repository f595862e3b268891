package dev.sluice.app.run;

import dev.sluice.planner.Blocked;
import dev.sluice.planner.Forecast;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Several listeners as one.
 *
 * @param each told in this order
 */
public record RollListeners(List<RollListener> each) implements RollListener {

  public RollListeners {
    each = List.copyOf(each);
  }

  @Override
  public void looked(Duration took) {
    each.forEach(listener -> listener.looked(took));
  }

  @Override
  public void foresaw(Supplier<Forecast> ahead) {
    each.forEach(listener -> listener.foresaw(ahead));
  }

  @Override
  public void decided(Look look, Plan plan) {
    each.forEach(listener -> listener.decided(look, plan));
  }

  @Override
  public void dropped(Plan.Act act, List<Blocked> objections) {
    each.forEach(listener -> listener.dropped(act, objections));
  }

  @Override
  public void acting(Plan.Act act) {
    each.forEach(listener -> listener.acting(act));
  }

  @Override
  public void acted(Plan.Act act, List<Actuator.Performed> performed) {
    each.forEach(listener -> listener.acted(act, performed));
  }

  @Override
  public void ended(Outcome outcome) {
    each.forEach(listener -> listener.ended(outcome));
  }
}
