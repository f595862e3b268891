package dev.sluice.app.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.app.command.CommandLines;
import dev.sluice.app.command.Terminal;
import dev.sluice.planner.Policy;
import dev.sluice.proxy.NetworkSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units of the distribution start what there is, and let it end. */
class SystemdUnitsTest {

  private static final String SLUICE = "/opt/sluice/bin/sluice ";

  @ParameterizedTest
  @ValueSource(strings = {"sluice-proxy", "sluice-roll"})
  void a_unit_starts_what_the_command_line_knows(String unit) throws IOException {
    var silent = new PrintWriter(new StringWriter());
    var commands =
        unit(unit)
            .lines()
            .filter(line -> line.matches("Exec\\w+=" + SLUICE + ".*"))
            .map(line -> line.replaceFirst("^Exec\\w+=" + SLUICE, "").split(" ", -1))
            .toList();

    assertThat(commands).isNotEmpty();
    for (var command : commands) {
      var line = CommandLines.of(new Terminal(silent, silent, false));
      assertThatCode(() -> line.parseArgs(command)).as(unit).doesNotThrowAnyException();
    }
  }

  @Test
  void a_proxy_is_given_the_time_to_shut_down_gracefully() throws IOException {
    assertThat(Duration.ofSeconds(Long.parseLong(value("sluice-proxy", "TimeoutStopSec"))))
        .isGreaterThanOrEqualTo(NetworkSpec.DEFAULT.shutdownTimeout().plusSeconds(10));
  }

  @Test
  void a_roll_is_given_the_time_to_end_its_batch() throws IOException {
    var minutes = value("sluice-roll", "TimeoutStopSec").replace("min", "");

    assertThat(Duration.ofMinutes(Long.parseLong(minutes)))
        .isGreaterThan(Policy.DEFAULT.patience().returnBudget());
  }

  @Test
  void what_halted_for_safety_is_not_started_again() throws IOException {
    assertThat(value("sluice-roll", "Restart")).isEqualTo("no");
  }

  private static String value(String unit, String key) throws IOException {
    var values =
        Pattern.compile("^" + key + "=(.*)$", Pattern.MULTILINE)
            .matcher(unit(unit))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(values).as("%s of %s", key, unit).hasSize(1);
    return List.copyOf(values).getFirst();
  }

  private static String unit(String name) throws IOException {
    return Files.readString(Path.of("src/main/distribution/systemd", name + ".service"));
  }
}
