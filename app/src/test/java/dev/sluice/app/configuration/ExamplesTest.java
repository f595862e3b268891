package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.Finding.Severity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What people copy must work: files of the distribution, and YAML in the docs. */
class ExamplesTest {

  private static final Pattern YAML_BLOCK =
      Pattern.compile("^```yaml\\R(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

  @TempDir private Path directory;

  record Example(String where, String text) {
    @Override
    public String toString() {
      return where;
    }
  }

  static Stream<Example> examples() throws IOException {
    return Stream.concat(
        files(Path.of("src/main/distribution/conf")), docs(Path.of("../docs"), "virtualClusters:"));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void every_example_is_accepted(Example example) throws IOException {
    Files.writeString(directory.resolve("token"), "1");
    var file = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.of("1"));

    assertThat(file.read(example.text(), directory).findings())
        .filteredOn(finding -> finding.severity() == Severity.ERROR)
        .extracting(finding -> finding.inFile(example.where()))
        .isEmpty();
  }

  static Stream<Example> rolls() throws IOException {
    return docs(Path.of("../docs"), "platform:");
  }

  @ParameterizedTest
  @MethodSource("rolls")
  void every_example_of_a_roll_is_accepted(Example example) throws IOException {
    Files.writeString(directory.resolve("client.properties"), "");
    var file = new RollFile(ConfigurationSchema.loadRoll(), _ -> Optional.of("1"));

    assertThat(file.read(example.text(), directory).findings())
        .extracting(finding -> finding.inFile(example.where()))
        .isEmpty();
  }

  @Test
  void there_are_examples() throws IOException {
    assertThat(examples()).isNotEmpty();
    assertThat(rolls()).isNotEmpty();
  }

  private static Stream<Example> files(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> new Example(file.toString(), read(file))).toList().stream();
    }
  }

  /** Blocks that are configurations as a whole, told by a key that they need. */
  private static Stream<Example> docs(Path folder, String key) throws IOException {
    try (var files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .flatMap(ExamplesTest::blocks)
          .filter(example -> example.text().contains(key))
          .toList()
          .stream();
    }
  }

  private static Stream<Example> blocks(Path file) {
    return YAML_BLOCK
        .matcher(read(file))
        .results()
        .map(match -> new Example(file.toString(), match.group(1)));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
