package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.proxy.EndsReading.Next;
import org.junit.jupiter.api.Test;

class EndsReadingTest {

  /** A client has said its end, and all is done. */
  private static final EndsReading DONE =
      new EndsReading(true, false, false, false, false, false, false, 0);

  @Test
  void a_client_that_has_said_its_end_and_has_all_its_answers_is_told_the_end() {
    assertThat(DONE.next()).isEqualTo(Next.END);
  }

  @Test
  void the_broker_is_told_first_where_it_has_still_to_answer() {
    assertThat(new EndsReading(true, false, false, false, false, false, false, 2).next())
        .isEqualTo(Next.TELL_BROKER);
  }

  @Test
  void a_client_that_may_still_send_is_left_alone() {
    assertThat(new EndsReading(false, false, false, false, false, false, false, 0).next())
        .isEqualTo(Next.NOTHING);
  }

  @Test
  void what_waits_for_a_broker_is_left_to_do() {
    assertThat(new EndsReading(true, false, true, false, false, false, false, 0).next())
        .isEqualTo(Next.NOTHING);
    assertThat(new EndsReading(true, true, false, true, false, false, false, 0).next())
        .isEqualTo(Next.NOTHING);
  }

  @Test
  void who_goes_quiet_or_ends_already_has_the_say() {
    assertThat(new EndsReading(true, false, false, false, false, true, false, 0).next())
        .isEqualTo(Next.NOTHING);
    assertThat(new EndsReading(true, false, false, false, false, false, true, 0).next())
        .isEqualTo(Next.NOTHING);
  }

  @Test
  void it_is_over_when_the_client_is_gone_and_all_has_left_for_the_broker() {
    assertThat(DONE.isOver()).isFalse();
    assertThat(new EndsReading(true, true, false, false, false, false, true, 1).isOver()).isFalse();
    assertThat(new EndsReading(true, true, false, false, true, false, true, 1).isOver()).isTrue();
  }
}
