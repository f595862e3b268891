package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SparseLogTest {

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private long now = Long.MAX_VALUE - 5; // A clock of nanoseconds may wrap around.
  private final SparseLog<Unled> log = new SparseLog<>(Unled.class, INTERVAL, () -> now);

  @Test
  void the_first_line_of_each_kind_is_written() {
    assertThat(log.turn(Unled.TOO_SLOW)).isEqualTo(OptionalLong.of(0));
    assertThat(log.turn(Unled.UNKNOWN_HOST)).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void within_the_interval_lines_are_left_out_and_the_next_one_says_how_many() {
    log.turn(Unled.TOO_SLOW);
    now += INTERVAL.toNanos() - 1;
    assertThat(log.turn(Unled.TOO_SLOW)).isEmpty();
    assertThat(log.turn(Unled.TOO_SLOW)).isEmpty();
    now += 1;
    assertThat(log.turn(Unled.TOO_SLOW)).isEqualTo(OptionalLong.of(2));
    assertThat(log.turn(Unled.TOO_SLOW)).isEmpty();
  }

  @Test
  void what_no_line_follows_is_told_when_the_interval_is_over_and_once() {
    log.turn(Unled.TOO_SLOW);
    log.turn(Unled.TOO_SLOW);
    assertThat(leftOut()).isEmpty();
    now += INTERVAL.toNanos();
    assertThat(leftOut()).isEqualTo(Map.of(Unled.TOO_SLOW, 1L));
    assertThat(leftOut()).isEmpty();
    assertThat(log.turn(Unled.TOO_SLOW)).as("that counts as a line").isEmpty();
  }

  private Map<Unled, Long> leftOut() {
    var told = new EnumMap<Unled, Long>(Unled.class);
    log.tellLeftOut(told::put);
    return told;
  }
}
