package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/** Virtual clusters as a table. */
final class StatusTable {

  private static final List<String> HEADINGS =
      List.of(
          "NAME", "STATE", "FOR", "GENERATION", "CONNECTIONS", "IN FLIGHT", "BOOTSTRAP", "REASON");
  private static final int STATE = 1;
  private static final String GAP = "  ";

  private StatusTable() {}

  /**
   * @param live whether the time in a state is shown, in colour; otherwise since when, so that a
   *     line changes only when the cluster does
   */
  static List<String> lines(List<JsonNode> clusters, Instant now, boolean live) {
    var rows = new ArrayList<List<String>>();
    rows.add(live ? HEADINGS : HEADINGS.stream().map(h -> h.equals("FOR") ? "SINCE" : h).toList());
    clusters.forEach(cluster -> rows.add(row(cluster, now, live)));
    var widths = new int[HEADINGS.size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var lines = new ArrayList<String>();
    rows.forEach(row -> lines.add(line(row, widths, live)));
    clusters.forEach(cluster -> lines.addAll(warnings(cluster)));
    return lines;
  }

  private static List<String> row(JsonNode cluster, Instant now, boolean live) {
    var since = cluster.path("since").asText();
    return List.of(
        cluster.path("name").asText(),
        cluster.path("state").asText(),
        live ? duration(Duration.between(Instant.parse(since), now)) : since,
        cluster.path("generation").asText(),
        cluster.path("connections").asText(),
        cluster.path("requestsInFlight").asText(),
        cluster.path("bootstrapAddresses").path(0).asText("-"),
        reason(cluster));
  }

  /** Why, and how far a drain or handover has come. */
  private static String reason(JsonNode cluster) {
    var why = cluster.path("reason").path("message").asText();
    var drain = cluster.path("drain");
    return drain.has("connectionsAtFirst") ? why + " " + DrainText.left(drain) + "." : why;
  }

  /** What somebody should mend: a line each. */
  private static List<String> warnings(JsonNode cluster) {
    var warnings = new ArrayList<String>();
    for (var node : cluster.path("nodesLeftOut")) {
      warnings.add(
          "%s: clients wait in vain for what broker %d leads: no nodeIdRanges include it."
              .formatted(cluster.path("name").asText(), node.asInt()));
    }
    return warnings;
  }

  private static String line(List<String> row, int[] widths, boolean colour) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      var padded = row.get(i) + " ".repeat(widths[i] - row.get(i).length());
      line.append(colour && i == STATE ? coloured(row.get(i), padded) : padded).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private static String coloured(String state, String padded) {
    var style =
        switch (state) {
          case "serving" -> "green";
          case "failed" -> "red";
          case "draining", "initializing" -> "yellow";
          default -> "faint";
        };
    return Ansi.ON.string("@|" + style + " " + padded + "|@");
  }

  private static String duration(Duration time) {
    var seconds = Math.max(0, time.toSeconds());
    if (seconds < 60) {
      return seconds + "s";
    }
    return seconds < 3600
        ? seconds / 60 + "m" + seconds % 60 + "s"
        : seconds / 3600 + "h" + seconds / 60 % 60 + "m";
  }
}
