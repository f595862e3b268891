package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6, 7, 8, 9, 10, 11})
  void a_text_is_cut_between_characters(int bytesMax) {
    String cut = Text.cut("äöü😀€ and more", bytesMax);

    assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(bytesMax);
    assertThat("äöü😀€ and more").startsWith(cut.substring(0, cut.length() - 1));
    assertThat(cut).endsWith("…");
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(cut)).isTrue();
  }

  @Test
  void a_text_that_fits_is_left_alone() {
    assertThat(Text.cut("äöü", 6)).isEqualTo("äöü");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "ä", "€", "😀"})
  void a_message_of_an_event_is_as_long_as_it_may_be_and_no_longer(String character) {
    int each = character.getBytes(StandardCharsets.UTF_8).length;
    int most = RestartScribe.MESSAGE_MAX_BYTES;
    int ellipsis = 3;
    String fits = character.repeat(most / each);

    assertThat(Text.cut(fits, most)).isEqualTo(fits);
    assertThat(Text.cut(fits + character, most))
        .isEqualTo(character.repeat((most - ellipsis) / each) + "…");
  }

  @Test
  void what_others_say_stays_on_one_line_and_is_bounded() {
    assertThat(Text.quoted("a\nb  c\t" + "x".repeat(1_000))).startsWith("a b c x").hasSize(401);
  }
}
