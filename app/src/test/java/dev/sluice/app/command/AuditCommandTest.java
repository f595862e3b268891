package dev.sluice.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCommandTest {

  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--clients, java-plane, java-plain",
    "--max-pause, fast, 500ms-above-baseline",
    "--for, soon, 1m30s",
    "--rate, 0, records per second",
    "--max-lost, few, --max-lost",
  })
  void a_wrong_option_is_bad_usage_and_says_what_is_right(
      String option, String value, String told) {
    assertThat(run("audit", "--bootstrap", "localhost:1", option, value))
        .isEqualTo(ExitStatus.BAD_USAGE);
    assertThat(err.toString()).contains(told).contains(value);
  }

  @Test
  void an_address_is_needed() {
    assertThat(run("audit")).isEqualTo(ExitStatus.BAD_USAGE);
    assertThat(err.toString()).contains("--bootstrap");
  }

  private int run(String... arguments) {
    var terminal =
        new Terminal(new PrintWriter(new StringWriter(), true), new PrintWriter(err, true), false);
    return CommandLines.of(terminal).execute(arguments);
  }
}
