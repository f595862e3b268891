package dev.sluice.app.command;

import dev.sluice.planner.Assessment;
import dev.sluice.planner.Forecast;
import dev.sluice.roller.RollReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rolls as lines for people. */
final class RollTable {

  /** Of a time, what is below the second. */
  private static final Pattern FRACTION = Pattern.compile("(T\\d\\d:\\d\\d:\\d\\d)\\.\\d+Z");

  private RollTable() {}

  /** A line with its times to the second: programs get all of it, people read them. */
  static String plainly(String line) {
    return FRACTION.matcher(line).replaceAll("$1Z");
  }

  /** How every server is. */
  static List<String> of(List<Assessment> servers) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("SERVER", "ROLES", "CONDITION", "NEED"));
    for (var server : servers) {
      rows.add(
          List.of(
              Integer.toString(server.server()),
              server.roles().stream()
                  .map(role -> role.name().toLowerCase(Locale.ROOT))
                  .collect(Collectors.joining(",")),
              plainly(server.condition().sentence()),
              plainly(server.need().sentence())));
    }
    return Columns.aligned(rows);
  }

  static List<String> of(Forecast forecast) {
    var lines = new ArrayList<>(of(forecast.next().servers()));
    lines.add("");
    lines.add(plainly("now: " + forecast.next().sentence()));
    if (!forecast.steps().isEmpty()) {
      lines.add("");
    }
    int number = 1;
    for (var step : forecast.steps()) {
      lines.add(
          "%3d. %s: %s (about %s)"
              .formatted(
                  number++,
                  step.stage().sentence(),
                  step.targets().keySet().stream()
                      .map(id -> "server " + id)
                      .collect(Collectors.joining(", ")),
                  said(step.estimate())));
      step.limiting().forEach(each -> lines.add("     " + each.sentence()));
    }
    forecast.blocked().forEach(blocked -> lines.add("  blocked: " + blocked.sentence()));
    if (!forecast.steps().isEmpty()) {
      lines.add("%d steps, about %s".formatted(forecast.steps().size(), said(forecast.estimate())));
    }
    return lines;
  }

  static List<String> of(RollReport report) {
    var lines = new ArrayList<String>();
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("BATCH", "AT", "SERVER", "TOOK", "WHAT"));
    int number = 1;
    for (var batch : report.batches()) {
      for (var action : batch.servers()) {
        rows.add(
            List.of(
                Integer.toString(number),
                plainly(batch.at().toString()),
                Integer.toString(action.server()),
                action.took().map(RollTable::said).orElse("-"),
                plainly(
                    action.what()
                        + action.failure().map(why -> " (failed: " + why + ")").orElse(""))));
      }
      number++;
    }
    if (!report.batches().isEmpty()) {
      lines.addAll(Columns.aligned(rows));
    }
    report.waited().forEach((what, time) -> lines.add("waited " + said(time) + " for " + what));
    lines.add(
        report.starved().isEmpty()
            ? "no partition that could help it was seen below its minimum"
            : "seen below their minimum: " + String.join(", ", report.starved()));
    lines.add(
        "%d batches in %s; the longest look took %s"
            .formatted(
                report.batches().size(), said(report.lasting()), said(report.longestLook())));
    return lines;
  }

  static String said(Duration time) {
    var seconds = time.toSeconds();
    if (seconds < 60) {
      return seconds + "s";
    }
    return seconds < 3600
        ? seconds / 60 + "m" + seconds % 60 + "s"
        : seconds / 3600 + "h" + seconds / 60 % 60 + "m";
  }
}
