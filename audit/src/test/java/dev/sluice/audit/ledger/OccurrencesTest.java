package dev.sluice.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OccurrencesTest {

  private final Occurrences occurrences = new Occurrences();

  @Test
  void a_pause_belongs_to_the_window_in_which_it_ends() {
    occurrences.progressed(millis(0));
    occurrences.progressed(millis(30));
    occurrences.enter(Window.BASELINE);
    occurrences.progressed(millis(50));
    occurrences.enter(Window.EVENT);
    occurrences.progressed(millis(450));
    occurrences.progressed(millis(500));

    assertThat(occurrences.longestPause(Window.WARMING)).isEqualTo(Duration.ofMillis(30));
    assertThat(occurrences.longestPause(Window.BASELINE)).isEqualTo(Duration.ofMillis(20));
    assertThat(occurrences.longestPause(Window.EVENT)).isEqualTo(Duration.ofMillis(400));
  }

  @Test
  void a_pause_that_never_ended_is_found_and_rest_is_none() {
    occurrences.progressed(millis(0));
    occurrences.rested(millis(2_000));
    occurrences.progressed(millis(90_000));

    assertThat(occurrences.longestPause(Window.WARMING)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void kinds_are_counted_and_bounded() {
    for (int i = 0; i < 1_000; i++) {
      occurrences.noticed(Measure.WARNINGS, "kind " + i);
    }

    assertThat(occurrences.kinds(Window.WARMING)).hasSizeLessThan(60).containsKey("further kinds");
    assertThat(occurrences.count(Measure.WARNINGS, Window.WARMING)).isEqualTo(1_000);
  }

  @Test
  void a_lap_tells_what_was_noticed_since_the_last_one() {
    occurrences.progressed(millis(0));
    occurrences.noticed(Measure.WARNINGS, "one");
    occurrences.progressed(millis(700));
    occurrences.lap();
    occurrences.noticed(Measure.WARNINGS, "two");
    occurrences.noticed(Measure.WARNINGS, "two");
    occurrences.noticed(Measure.CANCELLED, "PRODUCE");
    occurrences.progressed(millis(800));

    var lap = occurrences.lap();

    assertThat(lap.kinds()).containsEntry("warnings: two", 2L).doesNotContainKey("warnings: one");
    assertThat(lap.count(Measure.WARNINGS)).isEqualTo(2);
    assertThat(lap.count(Measure.CANCELLED)).isEqualTo(1);
    assertThat(lap.count(Measure.ERRORS)).isZero();
    assertThat(lap.longestPause()).isEqualTo(Duration.ofMillis(100));
    assertThat(occurrences.lap().kinds()).isEmpty();
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }
}
