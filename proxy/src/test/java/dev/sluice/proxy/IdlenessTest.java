package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdlenessTest {

  private static final Duration SHORT = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void a_connection_is_kept_as_long_as_something_moves() {
    assertThat(of(true, Duration.ofDays(1), SHORT)).isEqualTo(Idleness.NONE);
  }

  @Test
  void it_is_idle_when_nothing_has_moved_for_longer_than_the_time_out() {
    assertThat(of(true, LONG, LONG)).isEqualTo(Idleness.NONE);
    assertThat(of(true, LONG.plusNanos(1), LONG.plusNanos(1))).isEqualTo(Idleness.IDLE);
  }

  @Test
  void who_was_never_served_has_less_time_however_much_it_sends() {
    assertThat(of(false, SHORT, Duration.ZERO)).isEqualTo(Idleness.NONE);
    assertThat(of(false, SHORT.plusNanos(1), Duration.ZERO)).isEqualTo(Idleness.NEVER_SERVED);
  }

  @Test
  void who_waits_for_an_answer_is_kept_however_long_it_takes() {
    assertThat(of(true, true, LONG.multipliedBy(2), LONG.multipliedBy(2))).isEqualTo(Idleness.NONE);
    assertThat(of(false, true, LONG.multipliedBy(2), SHORT)).isEqualTo(Idleness.NONE);
  }

  private static Idleness of(boolean served, Duration age, Duration still) {
    return of(served, false, age, still);
  }

  private static Idleness of(boolean served, boolean waiting, Duration age, Duration still) {
    var network = Wishes.idle(LONG, SHORT).network();
    return Idleness.of(served, waiting, age.toNanos(), still.toNanos(), network);
  }
}
