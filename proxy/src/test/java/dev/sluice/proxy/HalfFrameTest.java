package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HalfFrameTest {

  private static final long LIMIT = 100;

  private final HalfFrame frame = new HalfFrame();

  @Test
  void nothing_is_stuck_that_has_not_begun() {
    assertThat(frame.isStuck(1_000, LIMIT)).isFalse();
    frame.came(1_000, false, false);
    assertThat(frame.isStuck(9_000, LIMIT)).isFalse();
  }

  @Test
  void a_body_is_stuck_when_no_byte_comes_for_longer_than_the_limit() {
    frame.came(1_000, false, true);
    assertThat(frame.isStuck(1_100, LIMIT)).isFalse();
    assertThat(frame.isStuck(1_101, LIMIT)).isTrue();
    frame.came(1_101, false, true);
    assertThat(frame.isStuck(1_201, LIMIT)).isFalse();
    frame.came(1_201, false, false);
    assertThat(frame.isStuck(9_000, LIMIT)).isFalse();
  }

  @Test
  void single_bytes_of_a_header_are_no_progress() {
    frame.came(1_000, true, false);
    frame.came(1_090, true, false);
    assertThat(frame.isStuck(1_101, LIMIT)).isTrue();
    frame.came(1_101, false, true);
    assertThat(frame.isStuck(1_201, LIMIT)).isFalse();
  }

  @Test
  void the_header_of_a_next_frame_has_its_own_time() {
    frame.came(1_000, true, false);
    frame.came(1_050, false, false);
    frame.came(1_100, true, false);
    assertThat(frame.isStuck(1_200, LIMIT)).isFalse();
    assertThat(frame.isStuck(1_201, LIMIT)).isTrue();
  }

  @Test
  void who_was_not_read_has_its_time_anew() {
    frame.came(1_000, false, true);
    frame.isReadAgain(5_000);
    assertThat(frame.isStuck(5_100, LIMIT)).isFalse();
    assertThat(frame.isStuck(5_101, LIMIT)).isTrue();
    frame.forget();
    assertThat(frame.isStuck(9_000, LIMIT)).isFalse();
  }
}
