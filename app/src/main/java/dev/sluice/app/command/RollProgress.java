package dev.sluice.app.command;

import dev.sluice.planner.Assessment;
import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.Condition;
import dev.sluice.planner.HoldReason;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.RollListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells a roll as it goes: all servers at every action, and between actions how servers change and
 * what it waits for.
 */
final class RollProgress implements RollListener {

  private static final int BAR_WIDTH = 20;

  private final Terminal terminal;
  private final Map<Integer, String> conditions = new HashMap<>();
  private String said = "";
  private int most;

  RollProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void decided(Look look, Plan plan) {
    for (var server : plan.servers()) {
      var now = kind(server.condition());
      var before = conditions.put(server.server(), now);
      if (before != null && !before.equals(now)) {
        tell(plan, "server " + server.server() + " is " + server.condition().sentence());
      }
    }
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
    terminal.err().println(RollTable.plainly(plan.at() + " " + bar(plan) + " " + what));
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

  /** Of a recovery every log that is done is news; else only another condition is. */
  private static String kind(Condition condition) {
    return condition instanceof Condition.Recovering recovering
        ? condition.name() + recovering.logs()
        : condition.name();
  }

  /** Conditions that carry times change with every look; only another kind of them is news. */
  private static String kind(HoldReason why) {
    return switch (why) {
      case HoldReason.AwaitingReturn(var servers) ->
          servers.stream().map(Assessment::server).toList().toString();
      case HoldReason.EverythingBlocked(var blocked) ->
          blocked.stream()
              .map(each -> each.server() + each.why().getClass().getSimpleName())
              .toList()
              .toString();
      case HoldReason.OutOfWindow _, HoldReason.AnotherRoll _ -> why.sentence();
    };
  }
}
