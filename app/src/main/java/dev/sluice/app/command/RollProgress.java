package dev.sluice.app.command;

import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.HoldReason;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.RollListener;
import java.util.List;

/**
 * Tells a roll as it goes: all servers at every action, and whatever it waits for when that
 * changes.
 */
final class RollProgress implements RollListener {

  private static final int BAR_WIDTH = 20;

  private final Terminal terminal;
  private String said = "";
  private int most;

  RollProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void decided(Look look, Plan plan) {
    if (plan instanceof Plan.Hold hold) {
      var now = kind(hold.why());
      if (!now.equals(said)) {
        said = now;
        tell(plan, plan.sentence());
      }
    }
  }

  @Override
  public void dropped(Plan.Act act, List<Blocked> objections) {
    said = "";
    tell(act, "not now, a second look spoke against it: " + objections.getFirst().sentence());
  }

  @Override
  public void acting(Plan.Act act) {
    said = "";
    terminal.err().println();
    RollTable.of(act.servers()).forEach(terminal.err()::println);
    tell(act, act.sentence());
    act.blocked().forEach(each -> terminal.err().println("  passed over: " + each.sentence()));
  }

  @Override
  public void acted(Plan.Act act, List<Actuator.Performed> performed) {
    for (var each : performed) {
      each.failure().ifPresent(why -> tell(act, "server " + each.server() + " could not: " + why));
    }
  }

  private void tell(Plan plan, String what) {
    terminal.err().println(plan.at() + " " + bar(plan) + " " + what);
  }

  /** How many of the servers that ever needed something need nothing any more. */
  private String bar(Plan plan) {
    int left =
        (int)
            plan.servers().stream()
                .filter(
                    server ->
                        !(server.need() instanceof Need.Nothing) || server.awaited() == Awaited.YES)
                .count();
    most = Math.max(most, left);
    int done = most == 0 ? BAR_WIDTH : BAR_WIDTH * (most - left) / most;
    return "["
        + "#".repeat(done)
        + "-".repeat(BAR_WIDTH - done)
        + "] "
        + (most - left)
        + "/"
        + most;
  }

  /** Conditions that carry times change with every look; only another kind of them is news. */
  private static String kind(HoldReason why) {
    return switch (why) {
      case HoldReason.AwaitingReturn(var servers) ->
          servers.stream().map(each -> each.server() + each.condition().name()).toList().toString();
      case HoldReason.EverythingBlocked(var blocked) ->
          blocked.stream()
              .map(each -> each.server() + each.why().getClass().getSimpleName())
              .toList()
              .toString();
      case HoldReason.OutOfWindow _, HoldReason.AnotherRoll _ -> why.sentence();
    };
  }
}
