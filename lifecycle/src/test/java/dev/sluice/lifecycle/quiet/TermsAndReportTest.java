package dev.sluice.lifecycle.quiet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lifecycle.quiet.Terms.Way;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The two values at the ends of going quiet. */
class TermsAndReportTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @Test
  void the_last_part_of_a_drain_is_two_seconds() {
    var terms = Terms.of(Way.PAUSE_AND_CLOSE, Bounds.PAUSE, 0, Duration.ofSeconds(10));
    assertThat(terms.grace()).isEqualTo(8 * SECOND);
    assertThat(terms.deadline()).isEqualTo(10 * SECOND);
  }

  @Test
  void of_a_short_drain_it_is_half() {
    var terms = Terms.of(Way.PAUSE_AND_CLOSE, Bounds.PAUSE, 0, Duration.ofSeconds(2));
    assertThat(terms.grace()).isEqualTo(SECOND);
  }

  @Test
  void a_pause_that_leaves_no_room_is_not_taken() {
    assertThatThrownBy(
            () -> Terms.of(Way.IN_PLACE, Duration.ofMillis(49), 0, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a pause from");
  }

  @Test
  void times_go_on_over_the_end_of_their_range() {
    long late = Long.MAX_VALUE - SECOND;
    var terms = Terms.of(Way.PAUSE_AND_CLOSE, Bounds.PAUSE, late, Duration.ofSeconds(10));
    var marked = new QuietEvent.Marked(late, terms, Client.UNKNOWN, List.of(), 0, late, true, true);
    var step = Quiescing.on(Quiescing.OPEN, marked);
    assertThat(step.state().phase()).isEqualTo(Phase.MARKED);
    step = Quiescing.on(step.state(), new QuietEvent.TimerRang(late + SECOND / 2));
    assertThat(step.actions()).contains(new QuietAction.SendEnd());
  }

  @Test
  void reports_add_up() {
    var one = report(Outcome.QUIESCED, Map.of("Produce", 2), Duration.ofMillis(110));
    var other = report(Outcome.FORCED, Map.of("Produce", 1, "Fetch", 1), Duration.ofSeconds(10));
    var sum = one.plus(other).plus(QuietReport.NONE).withReconnectWaitsRanOut(3);
    assertThat(sum.outcomes()).isEqualTo(Map.of(Outcome.QUIESCED, 1, Outcome.FORCED, 1));
    assertThat(sum.unanswered()).isEqualTo(Map.of("Fetch", 1, "Produce", 3));
    assertThat(sum.noticed()).isEqualTo(4 + 2);
    assertThat(sum.stamps()).isEqualTo(2);
    assertThat(sum.reconnectWaitsRanOut()).isEqualTo(3);
    assertThat(sum.longest()).isEqualTo(Duration.ofSeconds(10));
  }

  private static QuietReport report(
      Outcome outcome, Map<String, Integer> unanswered, Duration took) {
    return new QuietReport(
        new TreeMap<>(Map.of(outcome, 1)),
        1,
        0,
        0,
        new TreeMap<>(),
        new TreeMap<>(unanswered),
        1,
        0,
        0,
        took);
  }
}
