package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.app.configuration.Finding;
import dev.sluice.app.reload.Origin;
import dev.sluice.app.reload.ReloadResult;
import dev.sluice.app.reload.ReloadResult.Ending;
import dev.sluice.app.reload.Reloader;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.lifecycle.reload.ClusterOutcome.RolledBack;
import dev.sluice.lifecycle.reload.ClusterOutcome.Switched;
import dev.sluice.proxy.DrainReport;
import dev.sluice.proxy.ReloadReport;
import dev.sluice.proxy.ReloadReport.ClusterReport;
import dev.sluice.proxy.ReloadReport.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reloads as JSON. The shape is public: see openapi.json. */
final class ReloadJson {

  private ReloadJson() {}

  static ObjectNode of(Origin origin) {
    return Json.object()
        .put("source", origin.source())
        .put("since", Json.time(origin.since()))
        .put("reload", origin.reload())
        .put("complete", origin.complete());
  }

  static ObjectNode of(ReloadResult result) {
    var node = Json.object();
    node.put("number", result.number());
    node.put("outcome", result.outcome());
    node.put("askedBy", result.askedBy());
    node.put("source", result.source());
    node.put("at", Json.time(result.at()));
    node.put("millis", result.took().toMillis());
    switch (result.ending()) {
      case Ending.Done(var report, var findings) -> {
        node.set("warnings", Json.array(report.warnings()));
        addFindings(node, findings);
        var clusters = node.putArray("virtualClusters");
        report.clusters().forEach(cluster -> clusters.add(of(cluster)));
      }
      case Ending.Invalid(var findings) -> addFindings(node, findings);
      case Ending.Unchangeable(var sections) -> node.set("sections", Json.array(sections));
    }
    return node;
  }

  /** What did not come to what was asked for, as a problem (RFC 9457), with all that is known. */
  static ProblemException problem(ReloadResult result) {
    var status =
        switch (result.ending()) {
          case Ending.Invalid _, Ending.Unchangeable _ -> Status.UNPROCESSABLE;
          case Ending.Done(var report, _) ->
              report.verdict() == Verdict.CUT_SHORT ? Status.UNAVAILABLE : Status.CONFLICT;
        };
    return new ProblemException(
        status.code, status.title, detail(result), node -> node.setAll(of(result)));
  }

  private enum Status {
    CONFLICT(409, "Conflict"),
    UNPROCESSABLE(422, "Unprocessable Content"),
    UNAVAILABLE(503, "Service Unavailable");

    private final int code;
    private final String title;

    Status(int code, String title) {
      this.code = code;
      this.title = title;
    }
  }

  private static String detail(ReloadResult result) {
    return switch (result.ending()) {
      case Ending.Invalid(var findings) ->
          "Expected a valid configuration from "
              + result.source()
              + ", found "
              + count(Reloader.errors(findings).size())
              + "; nothing was touched.";
      case Ending.Unchangeable(var sections) ->
          "Expected no change of what holds for as long as the process runs, found another "
              + String.join(", ", sections)
              + "; nothing was touched. Start the process again for that.";
      case Ending.Done(var report, _) ->
          switch (report.verdict()) {
            case SUPERSEDED -> "It never ran: a newer reload was asked for while it waited.";
            case CUT_SHORT -> "The proxy shut down before it was done.";
            default ->
                "Expected every virtual cluster to come to what was asked for, found that "
                    + String.join(", ", notAsAsked(report))
                    + " did not; see what is told of each.";
          };
    };
  }

  private static List<String> notAsAsked(ReloadReport report) {
    return report.clusters().stream()
        .filter(one -> one.outcome().filter(outcome -> !outcome.isAsAsked()).isPresent())
        .map(one -> one.change().name())
        .toList();
  }

  private static String count(int errors) {
    return errors + (errors == 1 ? " error" : " errors");
  }

  private static void addFindings(ObjectNode node, List<Finding> findings) {
    var array = node.putArray("findings");
    for (var finding : findings) {
      array
          .addObject()
          .put("severity", finding.severity().name().toLowerCase(Locale.ROOT))
          .put("path", finding.path())
          .put("line", finding.line())
          .put("column", finding.column())
          .put("message", finding.message());
    }
  }

  private static ObjectNode of(ClusterReport cluster) {
    var node = Json.object();
    node.put("name", cluster.change().name());
    node.put("change", cluster.change().kind());
    if (cluster.change() instanceof Changed changed) {
      node.set("aspects", Json.array(changed.aspects().stream().map(Aspect::label).toList()));
    }
    node.put("why", cluster.change().sentence());
    if (!cluster.ways().isEmpty()) {
      node.set("ways", Json.array(cluster.ways().stream().map(ReloadJson::label).toList()));
    }
    cluster.outcome().ifPresent(outcome -> addOutcome(node, outcome, cluster));
    cluster.departure().ifPresent(departure -> node.set("connections", of(departure)));
    return node;
  }

  private static void addOutcome(ObjectNode node, ClusterOutcome outcome, ClusterReport cluster) {
    node.put("outcome", outcome.label());
    node.put("asAsked", outcome.isAsAsked());
    way(outcome).ifPresent(way -> node.put("way", label(way)));
    node.put("message", outcome.sentence());
    node.put("millis", cluster.took().toMillis());
  }

  private static Optional<Way> way(ClusterOutcome outcome) {
    return switch (outcome) {
      case Switched(var choice) -> Optional.of(choice.way());
      case RolledBack(var choice, _) -> Optional.of(choice.way());
      default -> Optional.empty();
    };
  }

  private static String label(Way way) {
    return way.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What became of the connections of the former generation: how many ended how. */
  private static ObjectNode of(DrainReport departure) {
    var node = Json.object();
    node.put("before", departure.connections());
    departure.counted().outcomes().forEach((outcome, count) -> node.put(outcome.label(), count));
    node.put("unanswered", sum(departure));
    return node;
  }

  private static int sum(DrainReport departure) {
    return departure.counted().unanswered().values().stream().mapToInt(Integer::intValue).sum();
  }
}
