package dev.sluice.app.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The threat model names tests that exist, so that it cannot claim more than is looked at. */
class SecurityPageTest {

  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve(Path.of("docs", "security.md"));
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Test|IT))(?:\\.(\\w+))?`");
  private static final String THREATS = "| threat | answer | tested by |";

  @Test
  void every_test_that_it_names_exists() throws IOException {
    var tests = tests();
    var missing = new ArrayList<String>();
    for (var named : TEST.matcher(Files.readString(PAGE)).results().toList()) {
      var method = named.group(2) == null ? "class " : " void " + named.group(2) + "(";
      var sources = tests.getOrDefault(named.group(1), List.of());
      if (sources.stream().noneMatch(source -> source.contains(method))) {
        missing.add(named.group());
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void every_threat_names_a_test_or_says_that_there_is_none() throws IOException {
    var threats = threats(Files.readAllLines(PAGE));

    assertThat(threats).hasSizeGreaterThan(20);
    assertThat(threats)
        .allMatch(
            row -> {
              var cells = row.split("\\|", -1);
              var testedBy = cells[cells.length - 2];
              return TEST.matcher(testedBy).find() || testedBy.strip().startsWith("none");
            });
  }

  private static List<String> threats(List<String> lines) {
    int first = lines.indexOf(THREATS) + 2;
    return lines.subList(first, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  /** The sources of the test classes of all modules, by their simple names. */
  private static Map<String, List<String>> tests() throws IOException {
    var found = new TreeMap<String, List<String>>();
    try (var modules = Files.list(ROOT)) {
      modules
          .map(module -> module.resolve(Path.of("src", "test", "java")))
          .filter(Files::isDirectory)
          .forEach(folder -> collect(folder, found));
    }
    return found;
  }

  private static void collect(Path folder, Map<String, List<String>> found) {
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        found
            .computeIfAbsent(
                file.getFileName().toString().replace(".java", ""), _ -> new ArrayList<>())
            .add(Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
