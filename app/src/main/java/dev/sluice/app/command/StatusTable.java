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

  /** Of ports that are left, the most that are named. */
  private static final int MOST_PORTS = 6;

  private StatusTable() {}

  /**
   * @param live whether the time in a state is shown, in colour; otherwise since when, so that a
   *     line changes only when the cluster does
   */
  static List<String> lines(List<JsonNode> clusters, Instant now, boolean live) {
    var rows = new ArrayList<List<String>>();
    rows.add(live ? HEADINGS : HEADINGS.stream().map(h -> h.equals("FOR") ? "SINCE" : h).toList());
    clusters.forEach(cluster -> rows.add(row(cluster, now, live)));
    var lines =
        new ArrayList<>(
            Columns.aligned(
                rows,
                (column, cell, padded) ->
                    live && column == STATE ? coloured(cell, padded) : padded));
    clusters.forEach(
        cluster -> {
          lines.addAll(waits(cluster));
          lines.addAll(lingering(cluster));
          lines.addAll(warnings(cluster));
          lines.addAll(TlsText.warnings(cluster, now));
        });
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

  /** Whom a drain or handover that takes long waits for: a line each. */
  private static List<String> waits(JsonNode cluster) {
    var name = cluster.path("name").asText();
    var waitsFor = cluster.path("drain").path("waitsFor");
    var lines = new ArrayList<String>();
    for (var one : waitsFor) {
      lines.add(name + ": waits for " + one.path("sentence").asText());
    }
    int more = cluster.path("drain").path("connectionsLeft").asInt() - lines.size();
    if (!lines.isEmpty() && more > 0) {
      lines.add(name + ": waits for " + more + " more");
    }
    return lines;
  }

  /** Ports that are open only for clients that still know them: a line, with the first of them. */
  private static List<String> lingering(JsonNode cluster) {
    var ports = cluster.path("lingeringPorts");
    if (ports.isEmpty()) {
      return List.of();
    }
    var named = new ArrayList<String>();
    var until = "";
    for (var one : ports) {
      if (named.size() < MOST_PORTS) {
        named.add(one.path("port").asText());
      }
      var own = one.path("until").asText();
      until = own.compareTo(until) > 0 ? own : until;
    }
    if (ports.size() > named.size()) {
      named.add(ports.size() - named.size() + " more");
    }
    return List.of(
        "%s: stays at ports that it has left (%s) for clients that still know them, until %s at the latest."
            .formatted(cluster.path("name").asText(), String.join(", ", named), until));
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
