package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void the_middle_of_an_even_number_lies_between_two() {
    assertThat(Interval.of(List.of(4.0, 1.0, 2.0, 3.0)).median()).isEqualTo(2.5);
    assertThat(Interval.of(List.of(3.0, 1.0, 2.0)).shown(1)).isEqualTo("2.0 (1.0–3.0)");
    assertThat(Interval.of(List.of(3.0, -1.0, 2.0)).shownSigned(1))
        .isEqualTo("+2.0 (−1.0 to +3.0)");
  }

  @Test
  void an_interval_is_as_narrow_as_95_percent_allow() {
    var seven = Interval.of(IntStream.rangeClosed(1, 7).mapToObj(Double::valueOf).toList());
    assertThat(seven.from()).isEqualTo(1);
    assertThat(seven.to()).isEqualTo(7);
    assertThat(seven.confidence()).isCloseTo(0.984, within(0.001));
    var eleven = Interval.of(IntStream.rangeClosed(1, 11).mapToObj(Double::valueOf).toList());
    assertThat(eleven.from()).isEqualTo(2);
    assertThat(eleven.to()).isEqualTo(10);
    assertThat(eleven.confidence()).isCloseTo(0.988, within(0.001));
    assertThat(Interval.of(List.of(1.0)).confidence()).isZero();
  }

  @Test
  void memory_is_found_among_what_a_status_tells() {
    assertThat(ProcessReading.parse("Name:\ta\nVmRSS:\t    2048 kB\n")).isEqualTo(2 << 20);
  }

  @Test
  void the_clock_of_a_process_goes_on_while_it_works() {
    long self = ProcessHandle.current().pid();
    double before = CpuClock.seconds(self);
    double now = before;
    while (now <= before) {
      now = CpuClock.seconds(self);
    }
    assertThat(before).isPositive();
  }

  @Test
  void a_ratio_is_that_of_the_same_round() {
    var found =
        new Findings(
            Workload.SMALL,
            List.of(
                cpu(1, Arm.SLUICE, 2),
                cpu(1, Arm.HAPROXY, 1),
                cpu(2, Arm.SLUICE, 12),
                cpu(2, Arm.HAPROXY, 4),
                cpu(3, Arm.SLUICE, 7)));
    assertThat(found.ratio(Metric.CPU, Arm.SLUICE, Arm.HAPROXY).orElseThrow())
        .isEqualTo(Interval.of(List.of(2.0, 3.0)));
    assertThat(new ResultTables(found).markdown())
        .contains("7.000 (2.000–12.000)")
        .contains("× 2.50 (2.00–3.00)")
        .contains("≤ 1.25")
        .contains("**no**")
        .doesNotContain("relay");
  }

  @Test
  void latency_is_compared_by_difference() {
    var found =
        new Findings(
            Workload.LATENCY,
            List.of(
                new Sample(1, Arm.DIRECT, Metric.P99, 2),
                new Sample(1, Arm.SLUICE, Metric.P99, 3)));
    assertThat(new ResultTables(found).markdown())
        .contains("+1.00 (+1.00 to +1.00)")
        .contains("0.60 (0.60–0.60)");
  }

  @Test
  void what_has_one_arm_is_a_column() {
    var found =
        new Findings(Workload.LIFECYCLE, List.of(new Sample(1, Arm.SLUICE, Metric.STATUS, 0.3)));
    assertThat(new ResultTables(found).markdown())
        .contains("| s for `sluice status` |")
        .contains("0.30 (0.30–0.30)")
        .contains("| yes ");
  }

  @Test
  void a_schedule_waits_for_nobody() {
    var schedule = new Schedule(1_000);
    assertThat(schedule.dueAt(0)).isZero();
    assertThat(schedule.dueAt(1_500)).isEqualTo(1_500_000_000L);
    assertThat(schedule.dueBy(-1)).isZero();
    assertThat(schedule.dueBy(0)).isEqualTo(1);
    assertThat(schedule.dueBy(Schedule.seconds(2))).isEqualTo(2_001);
    assertThatThrownBy(() -> new Schedule(0)).hasMessageContaining("0");
  }

  @Test
  void the_share_of_latencies_decides_by_rank() {
    long[] nanos =
        IntStream.rangeClosed(1, 1_000).mapToLong(i -> (1_001 - i) * 1_000_000L).toArray();
    var latencies = Latencies.of(nanos);
    assertThat(latencies.millis(0.5)).isEqualTo(500);
    assertThat(latencies.millis(0.99)).isEqualTo(990);
    assertThat(latencies.millis(0.999)).isEqualTo(999);
    assertThat(Latencies.of(new long[] {3_000_000}).millis(0.999)).isEqualTo(3);
  }

  @Test
  void each_connection_takes_two_descriptors() {
    assertThat(Descriptors.connections(10_000, 20_000)).isEqualTo(9_800);
    assertThat(Descriptors.connections(10_000, 1_000_000)).isEqualTo(10_000);
  }

  @Test
  void a_run_replaces_its_own_parts_of_the_page() {
    String page =
        "above\n%s\nold\n%s\n%s\nkept\n%s\nbelow\n"
            .formatted(
                PerformancePage.mark("small", "begin"),
                PerformancePage.mark("small", "end"),
                PerformancePage.mark("large", "begin"),
                PerformancePage.mark("large", "end"));
    assertThat(PerformancePage.withReport(page, "small", "new\n"))
        .isEqualTo(page.replace("\nold\n", "\n\nnew\n\n"));
  }

  @Test
  void a_page_without_markers_is_refused() {
    assertThatThrownBy(() -> PerformancePage.withReport("nothing here", "tiny", "new"))
        .hasMessageContaining(PerformancePage.mark("tiny", "begin"));
  }

  @Test
  void requests_and_answers_survive_their_lines() {
    var request =
        new LoadRequest(
            LoadRequest.Verb.PRODUCE,
            "127.0.0.1:9092",
            LoadRequest.PLAIN,
            7,
            "t",
            new Workload.Records(1000, 3, 1),
            12,
            0.5,
            3);
    assertThat(LoadRequest.parse(request.line())).isEqualTo(request);
    var answer = new LoadAnswer(1.5, Double.NaN).with(1.0, 2.0);
    assertThat(LoadAnswer.parse(answer.line())).isEqualTo(answer);
  }

  private static Sample cpu(int round, Arm arm, double seconds) {
    return new Sample(round, arm, Metric.CPU, seconds);
  }
}
