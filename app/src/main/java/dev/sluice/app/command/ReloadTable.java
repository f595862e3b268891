package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What a reload came to, as a table. */
final class ReloadTable {

  private static final List<String> HEADINGS =
      List.of("VIRTUAL CLUSTER", "CHANGE", "OUTCOME", "WAY", "TOOK", "WHY");
  private static final String NOTHING = "-";

  private ReloadTable() {}

  static List<String> lines(JsonNode result) {
    var lines = new ArrayList<String>();
    result.path("findings").forEach(finding -> lines.add(finding(result, finding)));
    result.path("warnings").forEach(warning -> lines.add("Warning: " + warning.asText()));
    var rows = rows(result);
    if (!rows.isEmpty()) {
      rows.addFirst(HEADINGS);
      lines.addAll(Columns.aligned(rows));
    }
    lines.add(
        result.has("virtualClusters") ? summary(result, rows) : result.path("detail").asText());
    return lines;
  }

  /** As compilers print it, which editors can follow. */
  static String finding(JsonNode result, JsonNode finding) {
    var warning = finding.path("severity").asText().equals("warning") ? "warning: " : "";
    var path = finding.path("path").asText();
    return result.path("source").asText("configuration")
        + ":"
        + finding.path("line").asInt()
        + ":"
        + finding.path("column").asInt()
        + ": "
        + warning
        + (path.isEmpty() ? "" : path + ": ")
        + finding.path("message").asText();
  }

  private static List<List<String>> rows(JsonNode result) {
    var rows = new ArrayList<List<String>>();
    for (var cluster : result.path("virtualClusters")) {
      if (!cluster.path("change").asText().equals("unchanged")) {
        rows.add(row(cluster));
      }
    }
    return rows;
  }

  private static List<String> row(JsonNode cluster) {
    return List.of(
        cluster.path("name").asText(),
        cluster.path("change").asText(),
        cluster.path("outcome").asText(NOTHING),
        way(cluster),
        cluster.has("millis") ? cluster.path("millis").asLong() + "ms" : NOTHING,
        cluster.path("asAsked").asBoolean(true)
            ? cluster.path("why").asText()
            : cluster.path("message").asText());
  }

  /** Of what is only planned all ways that it may come to. */
  private static String way(JsonNode cluster) {
    var ways = new ArrayList<String>();
    cluster.path("ways").forEach(way -> ways.add(way.asText()));
    return ways.isEmpty() ? cluster.path("way").asText(NOTHING) : String.join(" or ", ways);
  }

  private static String summary(JsonNode result, List<List<String>> rows) {
    int affected = Math.max(0, rows.size() - 1);
    int all = result.path("virtualClusters").size();
    return "Reload "
        + result.path("outcome").asText()
        + ": "
        + affected
        + " of "
        + all
        + " virtual clusters affected, "
        + result.path("millis").asLong()
        + "ms, from "
        + result.path("source").asText()
        + ".";
  }
}
