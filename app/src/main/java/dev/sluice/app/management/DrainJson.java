package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.proxy.DrainProgress;
import dev.sluice.proxy.DrainReport;
import dev.sluice.proxy.Straggler;
import java.util.Locale;

/** How far a drain or handover has come, and what one came to. */
final class DrainJson {

  private DrainJson() {}

  /** Adds how far it has come. */
  static ObjectNode put(ObjectNode node, DrainProgress progress) {
    node.put("way", label(progress.way()))
        .put("since", Json.time(progress.since()))
        .put("deadline", Json.time(progress.deadline()))
        .put("connectionsAtFirst", progress.connectionsAtFirst())
        .put("connectionsLeft", progress.connectionsLeft())
        .put("connectionsGone", progress.connectionsGone());
    if (!progress.waitsFor().isEmpty()) {
      var waitsFor = node.putArray("waitsFor");
      progress.waitsFor().forEach(straggler -> put(waitsFor.addObject(), straggler));
    }
    return put(node, progress.counted());
  }

  private static void put(ObjectNode node, Straggler straggler) {
    node.put("clientId", straggler.clientId())
        .put("address", straggler.address())
        .put("wait", straggler.cause().label())
        .put("sentence", straggler.toString())
        .put("millis", straggler.since().toMillis())
        .put("requestsInFlight", straggler.requestsInFlight());
    straggler.api().ifPresent(api -> node.put("api", api));
  }

  static ObjectNode of(DrainReport report) {
    var node =
        Json.object()
            .put("way", label(report.way()))
            .put("generation", report.generation())
            .put("since", Json.time(report.since()))
            .put("tookMillis", report.took().toMillis())
            .put("connections", report.connections());
    return put(node, report.counted());
  }

  private static ObjectNode put(ObjectNode node, QuietReport counted) {
    var outcomes = node.putObject("outcomes");
    counted.outcomes().forEach((outcome, count) -> outcomes.put(outcome.label(), count));
    var refused = node.putObject("refused");
    counted.refused().forEach(refused::put);
    var unanswered = node.putObject("unanswered");
    counted.unanswered().forEach(unanswered::put);
    return node.put("oneWaysLost", counted.oneWaysLost())
        .put("stamps", counted.stamps())
        .put("answeredEarly", counted.earlyAnswers())
        .put("lateAnswersDropped", counted.lateAnswersDropped())
        .put("reconnectWaitsRanOut", counted.reconnectWaitsRanOut());
  }

  private static String label(Way way) {
    return way.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
