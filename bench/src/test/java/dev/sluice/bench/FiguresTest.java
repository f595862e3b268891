package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FiguresTest {

  private static final long GB = 1_000_000_000;

  @Test
  void the_middle_of_an_even_number_lies_between_two() {
    assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Spread(2.5, 1, 4));
    assertThat(Spread.of(List.of(3.0, 1.0, 2.0)).shown(1)).isEqualTo("2.0 (1.0–3.0)");
  }

  @Test
  void a_process_is_read_whatever_its_name() {
    String stat = "42 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0";
    var reading = ProcessReading.parse(stat, "Name:\ta\nVmRSS:\t    2048 kB\n");
    assertThat(reading.cpuSeconds()).isCloseTo(3.0, within(1e-9));
    assertThat(reading.residentBytes()).isEqualTo(2 << 20);
  }

  @Test
  void a_ratio_is_that_of_the_same_round() {
    var table =
        new ResultTable(
            List.of(
                measured(1, Arm.SLUICE, 2),
                measured(1, Arm.HAPROXY, 1),
                measured(2, Arm.SLUICE, 12),
                measured(2, Arm.HAPROXY, 4)));
    assertThat(table.markdown())
        .contains("7.00 (2.00–12.00)")
        .contains("2.50 (2.00–3.00)")
        .doesNotContain("relay  ");
  }

  @Test
  void only_what_is_between_the_markers_is_replaced() {
    String page =
        "above\n%s\nold\n%s\nbelow\n".formatted(PerformancePage.BEGIN, PerformancePage.END);
    assertThat(PerformancePage.withReport(page, "new\n"))
        .isEqualTo(
            "above\n%s\n\nnew\n\n%s\nbelow\n"
                .formatted(PerformancePage.BEGIN, PerformancePage.END));
  }

  @Test
  void a_page_without_markers_is_refused() {
    assertThatThrownBy(() -> PerformancePage.withReport("nothing here", "new"))
        .hasMessageContaining(PerformancePage.BEGIN);
  }

  @Test
  void a_request_survives_its_line() {
    var request = new LoadRequest(LoadRequest.Verb.PRODUCE, "127.0.0.1:9092", "t", 1000, 7, 3);
    assertThat(LoadRequest.parse(request.line())).isEqualTo(request);
  }

  private static Measured measured(int round, Arm arm, double cpuSeconds) {
    return new Measured(
        round, Workload.SMALL, Phase.PRODUCE, arm, GB, 10, OptionalDouble.of(cpuSeconds), GB);
  }
}
