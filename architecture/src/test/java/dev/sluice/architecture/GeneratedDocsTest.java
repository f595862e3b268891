package dev.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/generated} against the code. To write the pages anew:
 *
 * <pre>mvn -Pquick -pl architecture -am test -Dtest='GeneratedDocs*' -Dgenerate=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 *
 * and look at what changed before it is committed.
 */
class GeneratedDocsTest {

  private static final Path PAGES = Path.of("..", "docs", "generated");
  private static final String COMMAND =
      "mvn -Pquick -pl architecture -am test -Dtest='GeneratedDocs*' -Dgenerate=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @Test
  void the_page_of_the_lifecycle_says_what_the_function_does() throws IOException {
    agrees("lifecycle.md", LifecyclePage.text());
  }

  private static void agrees(String page, String text) throws IOException {
    var file = PAGES.resolve(page);
    if (Boolean.getBoolean("generate")) {
      Files.createDirectories(PAGES);
      Files.writeString(file, text);
    }
    assertThat(Files.exists(file) ? Files.readString(file) : "")
        .as("docs/generated/%s differs from the code; to write it anew:%n  %s%n", page, COMMAND)
        .isEqualTo(text);
  }
}
