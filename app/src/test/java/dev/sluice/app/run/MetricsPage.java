package dev.sluice.app.run;

import dev.sluice.proxy.Metric;
import dev.sluice.proxy.Metric.Label;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes docs/generated/metrics.md from the definitions that meters are built from. */
final class MetricsPage {

  private static final String COLUMNS =
      """
      | metric | type | unit | labels | what it says | when one looks at it |
      | --- | --- | --- | --- | --- | --- |
      """;

  private MetricsPage() {}

  static String text() {
    return """
        # Metrics

        Written by `MetricsPageTest` from the definitions that meters are built from: do not edit.

        A dashboard and alerts that use them are in [monitoring](../../monitoring).

        ## Of the proxy

        `GET /metrics` of the management API. Every virtual cluster has its series from the first moment, and none once it
        is removed; a series of one `api` appears with the first request of it, one of a drain with the first that has
        something to tell.

        """
        + table(ExposedMetrics.ofProxy())
        + """

        What the JVM tells of itself is there, too, as Micrometer names it: `jvm_…`, `process_…`, `system_…`.

        ## Of a roll

        `GET /metrics` of `sluice roll run --serve PORT`, as long as it lasts. With `--metrics-file FILE` they are left in a
        file, too, where a collector that reads files (such as that of Prometheus' node exporter) finds how the roll ended.

        """
        + table(ExposedMetrics.ofRoll())
        + """

        ## Summaries and histograms

        Of a summary there are `…_count`, `…_sum` and `…_max` (the longest of the last two minutes or so), of a histogram also
        `…_bucket{le}`.

        ## Labels with known values

        | label | of | says | values |
        | --- | --- | --- | --- |
        """
        + labels(all());
  }

  private static List<Metric> all() {
    var all = new ArrayList<>(ExposedMetrics.ofProxy());
    all.addAll(ExposedMetrics.ofRoll());
    return all;
  }

  private static String table(List<Metric> metrics) {
    return COLUMNS + metrics.stream().map(MetricsPage::row).collect(Collectors.joining());
  }

  private static String row(Metric metric) {
    return "| `%s` | %s | %s | %s | %s | %s |\n"
        .formatted(
            metric.exposed(),
            metric.type().name().toLowerCase(Locale.ROOT),
            metric.unit(),
            metric.labels().stream()
                .map(label -> "`" + label.name() + "`")
                .collect(Collectors.joining(", ")),
            metric.says(),
            metric.lookWhen());
  }

  private static String labels(List<Metric> metrics) {
    var rows = new LinkedHashSet<String>();
    for (var metric : metrics) {
      for (var label : metric.labels()) {
        if (!label.values().isEmpty()) {
          rows.add(row(metric, label));
        }
      }
    }
    return String.join("", rows);
  }

  private static String row(Metric metric, Label label) {
    return "| `%s` | `%s` | %s | %s |\n"
        .formatted(
            label.name(),
            metric.exposed(),
            label.says(),
            label.values().stream()
                .map(value -> "`" + value + "`")
                .collect(Collectors.joining(", ")));
  }
}
