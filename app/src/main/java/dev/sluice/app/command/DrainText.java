package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Drains and handovers, as people read them. */
final class DrainText {

  private static final double MILLIS = 1000.0;

  private DrainText() {}

  /** What a virtual cluster is doing: how far its drain has come, or else its state. */
  static String progress(JsonNode cluster) {
    var drain = cluster.path("drain");
    return drain.has("connectionsAtFirst")
        ? left(drain) + ", " + cluster.path("requestsInFlight").asInt() + " requests in flight"
        : cluster.path("state").asText();
  }

  /** How many connections are still there. */
  static String left(JsonNode drain) {
    return "%d of %d connections left"
        .formatted(drain.path("connectionsLeft").asInt(), drain.path("connectionsAtFirst").asInt());
  }

  /** What a drain came to; nothing if there is none. */
  static List<String> report(JsonNode report) {
    var lines = new ArrayList<String>();
    if (!report.has("tookMillis")) {
      return lines;
    }
    lines.add(
        "  %s connections in %s s%s"
            .formatted(
                report.path("connections").asText(),
                String.format(Locale.ROOT, "%.1f", report.path("tookMillis").asInt() / MILLIS),
                counts(": ", report.path("outcomes"))));
    lines.add(
        "  requests answered early %s, refused %s, unanswered %s"
            .formatted(
                report.path("answeredEarly").asInt(),
                total(report.path("refused")),
                total(report.path("unanswered"))));
    return lines;
  }

  private static String counts(String before, JsonNode counts) {
    var texts = new ArrayList<String>();
    counts.properties().forEach(each -> texts.add(each.getValue().asInt() + " " + each.getKey()));
    return texts.isEmpty() ? "" : before + String.join(", ", texts);
  }

  /** The sum, and of what. */
  private static String total(JsonNode counts) {
    int sum = 0;
    for (var count : counts) {
      sum += count.asInt();
    }
    return sum == 0 ? "0" : sum + counts(" (", counts) + ")";
  }
}
