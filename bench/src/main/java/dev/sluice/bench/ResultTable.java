package dev.sluice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What was measured, in Markdown. Figures are medians over the rounds with their least and most; a
 * ratio is the median of the ratios within each round, for the arms of one round had the same
 * minutes.
 */
final class ResultTable {

  private static final String NOTHING = "–";
  private static final List<String> TITLES =
      List.of(
          "workload",
          "phase",
          "arm",
          "CPU s/GB",
          "× haproxy",
          "× relay",
          "× kroxylicious",
          "MB/s",
          "RSS MB");

  private final List<Measured> all;

  ResultTable(List<Measured> all) {
    this.all = List.copyOf(all);
  }

  String markdown() {
    var rows = new ArrayList<List<String>>();
    rows.add(TITLES);
    for (var workload : Workload.values()) {
      for (var phase : Phase.values()) {
        for (var arm : Arm.values()) {
          if (!of(workload, phase, arm).isEmpty()) {
            rows.add(row(workload, phase, arm));
          }
        }
      }
    }
    return aligned(rows);
  }

  private List<String> row(Workload workload, Phase phase, Arm arm) {
    var own = of(workload, phase, arm);
    var cpu =
        own.stream()
            .map(Measured::cpuSecondsPerGigabyte)
            .flatMapToDouble(OptionalDouble::stream)
            .boxed()
            .toList();
    return List.of(
        workload.title(),
        phase.label(),
        arm.label(),
        cpu.isEmpty() ? NOTHING : Spread.of(cpu).shown(2),
        ratio(own, of(workload, phase, Arm.HAPROXY), arm == Arm.HAPROXY),
        ratio(own, of(workload, phase, Arm.RELAY), arm == Arm.RELAY),
        ratio(own, of(workload, phase, Arm.KROXYLICIOUS), arm == Arm.KROXYLICIOUS),
        spread(own, Measured::megabytesPerSecond),
        cpu.isEmpty() ? NOTHING : spread(own, Measured::residentMegabytes));
  }

  private static String ratio(List<Measured> own, List<Measured> others, boolean self) {
    var ratios = new ArrayList<Double>();
    for (var one : own) {
      for (var other : others) {
        var mine = one.cpuSecondsPerGigabyte();
        var theirs = other.cpuSecondsPerGigabyte();
        if (one.round() == other.round() && mine.isPresent() && theirs.orElse(0) > 0) {
          ratios.add(mine.getAsDouble() / theirs.getAsDouble());
        }
      }
    }
    return self || ratios.isEmpty() ? NOTHING : Spread.of(ratios).shown(2);
  }

  private static String spread(List<Measured> own, ToDoubleFunction<Measured> figure) {
    return Spread.of(own.stream().mapToDouble(figure).boxed().toList()).shown(0);
  }

  private List<Measured> of(Workload workload, Phase phase, Arm arm) {
    return all.stream()
        .filter(one -> one.workload() == workload && one.phase() == phase && one.arm() == arm)
        .toList();
  }

  private static String aligned(List<List<String>> rows) {
    int[] widths = new int[TITLES.size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var lines = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      lines.append(line(rows.get(i), widths));
      if (i == 0) {
        lines.append(line(TITLES.stream().map(_ -> "---").toList(), widths));
      }
    }
    return lines.toString();
  }

  private static String line(List<String> cells, int[] widths) {
    var line = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      line.append(' ').append(cell).repeat(' ', widths[i] - cell.length()).append(" |");
    }
    return line.append('\n').toString();
  }
}
