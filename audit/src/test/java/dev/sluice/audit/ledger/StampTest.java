package dev.sluice.audit.ledger;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampTest {

  @Test
  void what_is_written_is_read() {
    var stamp = new Stamp("plain-all", 1_234_567);

    assertThat(Stamp.read(stamp.value(200))).contains(stamp);
    assertThat(stamp.value(200)).hasSize(200);
  }

  @Test
  void a_value_is_never_shorter_than_its_stamp() {
    var stamp = new Stamp("plain-all", 7);

    assertThat(new String(stamp.value(0), US_ASCII)).isEqualTo("plain-all 7 ");
    assertThat(Stamp.read(stamp.value(0))).contains(stamp);
  }

  @Test
  void one_other_byte_is_found_wherever_it_is() {
    byte[] whole = new Stamp("p", 12).value(40);
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 0x20;
      assertThat(Stamp.read(changed)).as("byte %d", i).isNotEqualTo(Stamp.read(whole));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "p", "p 1", " 1 x", "p  x", "p x ", "p 1234567890123456789 "})
  void what_is_no_stamp_is_not_read(String value) {
    assertThat(Stamp.read(value.getBytes(US_ASCII))).isEmpty();
  }
}
