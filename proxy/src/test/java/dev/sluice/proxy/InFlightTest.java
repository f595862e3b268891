package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InFlightTest {

  private final InFlight inFlight = new InFlight();

  @Test
  void requests_are_answered_in_the_order_in_which_they_were_asked() {
    ask(1);
    ask(2);
    assertThat(inFlight.correlationId(inFlight.answeredPosition())).isEqualTo(1);
    inFlight.answer();
    assertThat(inFlight.correlationId(inFlight.answeredPosition())).isEqualTo(2);
  }

  @Test
  void what_was_asked_is_kept_whatever_the_numbers() {
    inFlight.ask((short) 0x7FFF, (short) -1, Integer.MIN_VALUE, false, Long.MIN_VALUE);
    assertThat(inFlight.apiKey(0)).isEqualTo((short) 0x7FFF);
    assertThat(inFlight.version(0)).isEqualTo((short) -1);
    assertThat(inFlight.correlationId(inFlight.answeredPosition())).isEqualTo(Integer.MIN_VALUE);
    assertThat(inFlight.askedAt(0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void an_answered_request_is_in_flight_until_it_is_written() {
    ask(1);
    inFlight.answer();
    assertThat(inFlight.awaitsAnswer()).isFalse();
    assertThat(inFlight.size()).isEqualTo(1);
    inFlight.writtenUpTo(inFlight.answeredPosition());
    assertThat(inFlight.isEmpty()).isTrue();
  }

  @Test
  void an_older_position_takes_nothing_back() {
    ask(1);
    inFlight.answer();
    long first = inFlight.answeredPosition();
    ask(2);
    inFlight.answer();
    inFlight.writtenUpTo(inFlight.answeredPosition());
    inFlight.writtenUpTo(first);
    assertThat(inFlight.isEmpty()).isTrue();
  }

  @Test
  void an_own_answer_waits_for_its_turn() {
    ask(1);
    inFlight.ask((short) 18, (short) 99, 2, true, 0);
    assertThat(inFlight.ownAnswerIsNext()).isFalse();
    inFlight.answer();
    assertThat(inFlight.ownAnswerIsNext()).isTrue();
  }

  @Test
  void nothing_is_answered_that_was_not_asked() {
    assertThat(inFlight.ownAnswerIsNext()).isFalse();
    assertThatThrownBy(inFlight::answer).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothing_is_written_that_was_not_answered() {
    ask(1);
    assertThatThrownBy(() -> inFlight.writtenUpTo(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void it_is_a_queue_whatever_is_asked_answered_and_written_in_between() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    var random = new Random(seed);
    var unanswered = new ArrayDeque<Integer>();
    int asked = 0;
    int answered = 0;
    int written = 0;
    for (int i = 0; i < 100_000; i++) {
      int odds = random.nextInt(i % 1000 < 500 ? 4 : 6);
      if (odds < 2) {
        ask(++asked);
        unanswered.add(asked);
      } else if (odds < 4 && !unanswered.isEmpty()) {
        assertThat(inFlight.correlationId(inFlight.answeredPosition()))
            .isEqualTo(unanswered.remove());
        inFlight.answer();
        answered++;
      } else {
        written += random.nextInt(answered - written + 1);
        inFlight.writtenUpTo(written);
      }
      assertThat(inFlight.size()).isEqualTo(asked - written);
      assertThat(inFlight.awaitsAnswer()).isEqualTo(!unanswered.isEmpty());
    }
  }

  private void ask(int correlationId) {
    inFlight.ask((short) 12, (short) 4, correlationId, false, correlationId);
  }
}
