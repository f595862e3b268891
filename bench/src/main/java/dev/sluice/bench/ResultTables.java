package dev.sluice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** One workload's findings in Markdown: figures, comparisons, and which targets are reached. */
final class ResultTables {

  private static final String NOTHING = "–";
  private static final int RATIO_DECIMALS = 2;

  /** Who is compared; the others are whom one compares with. */
  private static final List<Arm> COMPARED =
      List.of(Arm.DIRECT2, Arm.RELAY, Arm.SLUICE, Arm.FILTERED);

  private final Findings found;
  private final List<Arm> arms;
  private final List<Metric> metrics;

  ResultTables(Findings found) {
    this.found = found;
    this.arms =
        Stream.of(Arm.values())
            .filter(arm -> found.samples().stream().anyMatch(one -> one.arm() == arm))
            .toList();
    this.metrics =
        Stream.of(Metric.values())
            .filter(metric -> found.samples().stream().anyMatch(one -> one.metric() == metric))
            .toList();
  }

  String markdown() {
    return Stream.of(figures(), comparisons(), targets())
        .filter(table -> !table.isEmpty())
        .map(MarkdownTable::text)
        .reduce((above, below) -> above + "\n" + below)
        .orElse("");
  }

  /** With few arms, metrics are rows; with many, columns. */
  private MarkdownTable figures() {
    if (arms.size() == 1) {
      var table = new MarkdownTable(List.of("what", arms.getFirst().label()));
      metrics.forEach(
          metric -> table.add(List.of(metric.title(), figure(arms.getFirst(), metric))));
      return table;
    }
    var table =
        new MarkdownTable(
            Stream.concat(Stream.of("arm"), metrics.stream().map(Metric::title)).toList());
    for (var arm : arms) {
      table.add(
          Stream.concat(Stream.of(arm.label()), metrics.stream().map(metric -> figure(arm, metric)))
              .toList());
    }
    return table;
  }

  private String figure(Arm arm, Metric metric) {
    return found.of(arm, metric).map(value -> value.shown(metric.decimals())).orElse(NOTHING);
  }

  private MarkdownTable comparisons() {
    var others = others();
    var titles = new ArrayList<>(List.of("compared", "arm"));
    others.forEach(other -> titles.add("with " + other.label()));
    var table = new MarkdownTable(titles);
    for (var metric : metrics) {
      for (var arm : COMPARED) {
        var cells = others.stream().map(other -> compared(metric, arm, other)).toList();
        if (cells.stream().anyMatch(Optional::isPresent)) {
          var row = new ArrayList<>(List.of(metric.title(), arm.label()));
          cells.forEach(cell -> row.add(cell.orElse(NOTHING)));
          table.add(row);
        }
      }
    }
    return table;
  }

  private List<Arm> others() {
    return arms.stream()
        .filter(arm -> arm != Arm.DIRECT2 && arm != Arm.FILTERED)
        .filter(arm -> arm != Arm.SLUICE || arms.contains(Arm.FILTERED))
        .toList();
  }

  private Optional<String> compared(Metric metric, Arm arm, Arm other) {
    if (arm == other) {
      return Optional.empty();
    }
    return switch (metric.compared()) {
      case NOT -> Optional.empty();
      case AS_RATIO ->
          found.ratio(metric, arm, other).map(ratio -> "× " + ratio.shown(RATIO_DECIMALS));
      case AS_DIFFERENCE ->
          found
              .paired(metric, arm, other, (mine, theirs) -> mine - theirs)
              .map(difference -> difference.shownSigned(metric.decimals()));
    };
  }

  private MarkdownTable targets() {
    var table = new MarkdownTable(List.of("target", "bound", "found", "reached"));
    for (var target : Target.ALL) {
      if (target.workload() == found.workload()) {
        target
            .figure()
            .apply(found)
            .ifPresent(
                figure ->
                    table.add(
                        List.of(
                            target.what(),
                            (target.atMost() ? "≤ " : "≥ ") + number(target.bound()),
                            figure.shown(RATIO_DECIMALS),
                            target.isReachedBy(figure) ? "yes" : "**no**")));
      }
    }
    return table;
  }

  private static String number(double bound) {
    return bound == Math.rint(bound)
        ? String.format(Locale.ROOT, "%.0f", bound)
        : String.format(Locale.ROOT, "%s", bound);
  }
}
