package dev.sluice.lifecycle.reload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** One at a time; of those that wait the newest. */
class LineTest {

  @Test
  void the_first_starts_at_once() {
    assertThat(Line.EMPTY.asked(1).starts()).hasValue(1);
  }

  @Test
  void a_second_waits_until_the_first_has_ended() {
    var waiting = Line.EMPTY.asked(1).line().asked(2);

    assertThat(waiting.starts()).isEmpty();
    assertThat(waiting.superseded()).isEmpty();
    assertThat(waiting.line().ended().starts()).hasValue(2);
  }

  @Test
  void a_third_supersedes_the_second_and_never_the_first() {
    var third = Line.EMPTY.asked(1).line().asked(2).line().asked(3);

    assertThat(third.superseded()).isEqualTo(OptionalLong.of(2));
    assertThat(third.line().ended().starts()).hasValue(3);
  }

  @Test
  void after_the_last_nothing_runs() {
    assertThat(Line.EMPTY.asked(1).line().ended().line()).isEqualTo(Line.EMPTY);
  }
}
