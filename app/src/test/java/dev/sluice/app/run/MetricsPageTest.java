package dev.sluice.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.GeneratedPage;
import dev.sluice.proxy.Metric;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps docs/generated/metrics.md true; {@code -Dgenerate=true} writes it. */
class MetricsPageTest {

  @Test
  void the_page_says_what_is_measured() throws IOException {
    GeneratedPage.of("metrics.md").agreesWith(MetricsPage.text());
  }

  @Test
  void no_two_metrics_have_one_name() {
    assertThat(Stream.of(ExposedMetrics.ofProxy(), ExposedMetrics.ofRoll()))
        .allSatisfy(
            metrics -> assertThat(metrics).extracting(Metric::exposed).doesNotHaveDuplicates());
  }

  @Test
  void every_metric_says_what_it_is_and_when_one_looks_at_it() {
    assertThat(Stream.concat(ExposedMetrics.ofProxy().stream(), ExposedMetrics.ofRoll().stream()))
        .allSatisfy(
            metric -> {
              assertThat(metric.says()).endsWith(".");
              assertThat(metric.lookWhen()).endsWith(".");
            });
  }
}
