package dev.sluice.app.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.app.command.CommandLines;
import dev.sluice.app.command.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of every command shows how it is used, and what it shows can be typed. */
class HelpTest {

  record Shown(String command, List<String> examples) {
    @Override
    public String toString() {
      return command;
    }
  }

  static Stream<Shown> commands() {
    return all(line()).map(command -> new Shown(name(command), examples(command)));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_command_has_an_example_of_itself(Shown command) {
    assertThat(command.examples()).anyMatch(example -> example.contains(command.command()));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_example_can_be_typed(Shown command) {
    for (var example : command.examples()) {
      var typed = example.replaceFirst("^source <\\((.*)\\)$", "$1").replaceFirst(" > .*", "");
      var words = ShellWords.of(typed).getFirst();
      assertThat(words.getFirst()).isEqualTo("sluice");
      assertThatCode(() -> line().parseArgs(words.stream().skip(1).toArray(String[]::new)))
          .as(example)
          .doesNotThrowAnyException();
    }
  }

  private static Stream<CommandLine> all(CommandLine line) {
    return Stream.concat(
        Stream.of(line), line.getSubcommands().values().stream().flatMap(HelpTest::all));
  }

  private static String name(CommandLine line) {
    return line.getCommandSpec().qualifiedName();
  }

  /** Lines of the footer that are indented; what follows after several blanks explains them. */
  private static List<String> examples(CommandLine line) {
    return Stream.of(line.getCommandSpec().usageMessage().footer())
        .filter(text -> text.startsWith("  "))
        .map(text -> text.strip().replaceFirst("\\s{2,}.*", ""))
        .toList();
  }

  private static CommandLine line() {
    var silent = new PrintWriter(new StringWriter());
    return CommandLines.of(new Terminal(silent, silent, false));
  }
}
