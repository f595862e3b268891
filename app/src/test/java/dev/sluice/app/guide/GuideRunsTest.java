package dev.sluice.app.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a page has people run long tests again, these are there. */
class GuideRunsTest {

  private static final Path TESTS = Path.of("../integration/src/test/java/dev/sluice/integration");
  private static final Pattern RUN = Pattern.compile("-Dit\\.test='(\\w+)#([^']+)'");
  private static final Pattern METHOD = Pattern.compile("void (\\w+)\\(");

  static List<Path> pages() {
    return Block.pages().stream().filter(page -> Block.read(page).contains("-Dit.test=")).toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_test_that_a_page_has_people_run_is_there(Path page) throws IOException {
    for (var run : RUN.matcher(Block.read(page)).results().toList()) {
      var methods = methods(run.group(1));
      for (var wanted : run.group(2).split("\\+", -1)) {
        assertThat(methods)
            .as("%s: %s", page, run.group())
            .anyMatch(method -> method.matches(wanted.replace("*", "\\w*")));
      }
    }
  }

  private static List<String> methods(String test) throws IOException {
    var source = Files.readString(TESTS.resolve(test + ".java"));
    return METHOD.matcher(source).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
