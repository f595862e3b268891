package dev.sluice.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLinesTest {

  private static final String VALID =
      """
      virtualClusters:
        - name: orders
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways:
            - name: local
              portIdentifiesNode: { bootstrapAddress: "localhost:9192" }
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  static Stream<String> commands() {
    return CommandLines.of(silent()).getSubcommands().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_command_has_help_with_an_example(String command) {
    assertThat(run(command, "--help")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains("Example").contains("sluice " + command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "run", "status"})
  void every_command_of_a_roll_has_help_with_an_example(String command) {
    assertThat(run("roll", command, "--help")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains("Example").contains("sluice roll " + command);
  }

  @Test
  void a_roll_with_a_wrong_configuration_fails_with_line_and_column() throws IOException {
    var file = file("platform: { process: {} }\nkafka: { bootstrapServers: 'localhost:1' }\n");

    assertThat(run("roll", "plan", "-c", file)).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString())
        .contains(file + ":1:22: platform.process: expected the key 'folder', which is missing");
  }

  @Test
  void a_roll_needs_a_command() {
    assertThat(run("roll")).isEqualTo(ExitStatus.BAD_USAGE);
    assertThat(err.toString()).contains("Expected one of plan, run, serve and status");
  }

  @Test
  void a_valid_configuration_is_done() throws IOException {
    assertThat(run("validate", "-c", file(VALID))).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains(": valid, 1 virtual cluster");
  }

  @Test
  void a_wrong_configuration_fails_with_file_line_and_column() throws IOException {
    var file = file(VALID.replace("orders", "_"));

    assertThat(run("validate", "-c", file)).isEqualTo(ExitStatus.FAILED);
    assertThat(out.toString())
        .contains(file + ":2:11: virtualClusters[0].name: expected a DNS label")
        .contains(": not valid, 1 error");
  }

  @Test
  void bad_usage_is_told_apart_and_points_to_help() {
    assertThat(run("validate")).isEqualTo(ExitStatus.BAD_USAGE);
    assertThat(err.toString()).contains("--config").contains("Try 'sluice validate --help'.");
  }

  @Test
  void ports_that_no_machine_has_are_bad_usage() {
    assertThat(run("up", "--base-port", "70000")).isEqualTo(ExitStatus.BAD_USAGE);
    assertThat(err.toString())
        .contains("found 70000")
        .contains("Try 'sluice up --help'.")
        .doesNotContain("unexpectedly");
  }

  @Test
  void a_mistyped_command_is_answered_with_the_nearest() {
    assertThat(run("statsu")).isEqualTo(ExitStatus.BAD_USAGE);
    assertThat(err.toString()).contains("status");
  }

  @Test
  void nobody_at_the_management_address_says_what_to_do() {
    assertThat(run("status", "--management", "http://127.0.0.1:1")).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString())
        .contains("Expected a running proxy at http://127.0.0.1:1")
        .contains("sluice up")
        .doesNotContain("\tat ");
  }

  @Test
  void debug_tells_the_stack_trace() {
    assertThat(run("status", "--debug", "--management", "http://127.0.0.1:1"))
        .isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("\tat ");
  }

  @Test
  void the_schema_is_printed_as_it_is_used() {
    assertThat(run("schema")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains("\"$schema\"").contains("virtualClusters");
  }

  @Test
  void completion_knows_the_commands() {
    assertThat(run("completion")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains("validate").contains("complete -F");
  }

  @Test
  void completion_for_fish_knows_commands_options_files_and_values() {
    assertThat(run("completion", "fish")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString())
        .contains("-n '__sluice_at roll' -a plan -d 'Tell how every server is")
        .contains("-n '__sluice_in roll plan' -s c -l config -r -F")
        .contains("-n '__sluice_in status' -s o -l output -x -a 'table json yaml'")
        .contains("-n '__sluice_at' -a validate");
  }

  private int run(String... arguments) {
    var terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false);
    return CommandLines.of(terminal).execute(arguments);
  }

  private static Terminal silent() {
    var nowhere = new PrintWriter(new StringWriter());
    return new Terminal(nowhere, nowhere, false);
  }

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("proxy.yaml"), text).toString();
  }
}
