package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.planner.Assessment;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.ClusterState;
import dev.sluice.planner.Forecast;
import dev.sluice.planner.HoldReason;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollReport;
import dev.sluice.roller.RollScribe;
import java.util.List;
import java.util.Locale;

/** Rolls as JSON: what the API answers and what {@code -o json} prints. */
public final class RollJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private RollJson() {}

  /** A roll that is under way, or over: then nothing is ahead, and nothing is worked out. */
  public static ObjectNode of(RollScribe.Current current) {
    var node = NODES.objectNode();
    var plan = current.plan();
    node.put("state", state(plan));
    node.put("at", plan.at().toString());
    node.put("plan", plan.sentence());
    current.outcome().ifPresent(outcome -> node.set("outcome", of(outcome)));
    node.set("blocked", blocked(blockedBy(plan)));
    node.set("servers", servers(plan.servers()));
    node.set("report", of(current.report()));
    if (current.outcome().isEmpty()) {
      current.ahead().get().ifPresent(forecast -> node.set("forecast", ahead(forecast)));
    }
    return node;
  }

  /** Everything that would be done. */
  public static ObjectNode of(Forecast forecast) {
    var node = NODES.objectNode();
    node.put("state", state(forecast.next()));
    node.put("at", forecast.next().at().toString());
    node.put("next", forecast.next().sentence());
    node.set("servers", servers(forecast.next().servers()));
    node.setAll(ahead(forecast));
    return node;
  }

  /** What is still to be done, and who is in none of it. */
  private static ObjectNode ahead(Forecast forecast) {
    var node = NODES.objectNode();
    node.put("estimateSeconds", forecast.estimate().toSeconds());
    var steps = node.putArray("steps");
    for (var step : forecast.steps()) {
      var one = steps.addObject();
      one.put("stage", label(step.stage().name()));
      one.put("estimateSeconds", step.estimate().toSeconds());
      var targets = one.putObject("targets");
      step.targets().forEach((id, need) -> targets.put(id.toString(), need.sentence()));
      var limiting = one.putArray("limiting");
      step.limiting().forEach(each -> limiting.add(each.sentence()));
    }
    node.set("blocked", blocked(forecast.blocked()));
    return node;
  }

  private static ObjectNode of(Outcome outcome) {
    var node = NODES.objectNode();
    node.put("how", outcome.label());
    node.put("sentence", outcome.sentence());
    if (outcome instanceof Outcome.Halted(_, var lastWords)) {
      var words = node.putObject("lastWords");
      lastWords.forEach((id, lines) -> lines.forEach(words.putArray(id.toString())::add));
    }
    return node;
  }

  private static ObjectNode of(RollReport report) {
    var node = NODES.objectNode();
    node.put("began", report.began().toString());
    node.put("seconds", report.lasting().toSeconds());
    var batches = node.putArray("batches");
    for (var batch : report.batches()) {
      var one = batches.addObject();
      one.put("at", batch.at().toString());
      one.put("stage", label(batch.stage().name()));
      var servers = one.putArray("servers");
      for (var action : batch.servers()) {
        var each = servers.addObject();
        each.put("server", action.server());
        each.put("what", action.what());
        action.took().ifPresent(took -> each.put("tookSeconds", took.toMillis() / 1000.0));
        action.failure().ifPresent(failure -> each.put("failure", failure));
      }
    }
    var waited = node.putObject("waitedSeconds");
    report.waited().forEach((what, time) -> waited.put(what, time.toSeconds()));
    report.starved().forEach(node.putArray("belowMinimum")::add);
    node.put("longestLookSeconds", report.longestLook().toMillis() / 1000.0);
    return node;
  }

  private static ArrayNode servers(List<Assessment> servers) {
    var array = NODES.arrayNode();
    for (var server : servers) {
      var node = array.addObject();
      node.put("server", server.server());
      var roles = node.putArray("roles");
      server.roles().forEach(role -> roles.add(label(role.name())));
      node.put("condition", server.condition().name());
      node.put("why", server.condition().sentence());
      node.put("need", server.need().sentence());
    }
    return array;
  }

  private static ArrayNode blocked(List<Blocked> all) {
    var array = NODES.arrayNode();
    for (var blocked : all) {
      array
          .addObject()
          .put("server", blocked.server())
          .put("rule", label(blocked.why().rule().name()))
          .put("why", blocked.sentence());
    }
    return array;
  }

  /** Who is blocked, as far as a plan says so. */
  static List<Blocked> blockedBy(Plan plan) {
    return switch (plan) {
      case Plan.Act act -> act.blocked();
      case Plan.Hold(_, _, HoldReason.EverythingBlocked(var blocked)) -> blocked;
      case Plan.Done done -> done.leftAlone();
      case Plan.Hold _, Plan.Halt _ -> List.of();
    };
  }

  private static String state(Plan plan) {
    return ClusterState.of(plan).getClass().getSimpleName();
  }

  private static String label(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
