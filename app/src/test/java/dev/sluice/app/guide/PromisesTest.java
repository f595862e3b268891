package dev.sluice.app.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that docs/filter-promises.md names is there. */
class PromisesTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT))(?:\\.(\\w+))?`");

  @Test
  void every_promise_names_tests_that_are_there() throws IOException {
    var rows =
        Files.readAllLines(ROOT.resolve("docs/filter-promises.md")).stream()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
            .skip(1)
            .toList();

    assertThat(rows).hasSizeGreaterThan(20);
    for (var row : rows) {
      var named = NAMED.matcher(row).results().toList();
      assertThat(row.endsWith("| the same two |") || !named.isEmpty()).as(row).isTrue();
      for (var test : named) {
        var source = source(test.group(1));
        assertThat(source).as("source of %s", test.group(1)).isPresent();
        if (test.group(2) != null) {
          assertThat(source.orElseThrow()).contains("void " + test.group(2) + "(");
        }
      }
    }
  }

  private static Optional<String> source(String test) throws IOException {
    try (var modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/test/java"))
          .filter(Files::isDirectory)
          .flatMap(PromisesTest::files)
          .filter(file -> file.getFileName().toString().equals(test + ".java"))
          .findFirst()
          .map(PromisesTest::read);
    }
  }

  private static Stream<Path> files(Path folder) {
    try (var files = Files.walk(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
