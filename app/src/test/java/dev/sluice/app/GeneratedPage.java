package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page of docs/generated that the code writes. Where they differ the test fails, and says how to
 * write it anew; look at what changed before it is committed.
 */
public record GeneratedPage(Path file) {

  private static final String COMMAND =
      "mvn -Pquick -pl app -am test -Dtest='*PageTest' -Dgenerate=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  public static GeneratedPage of(String name) {
    return new GeneratedPage(Path.of("..", "docs", "generated", name));
  }

  public void agreesWith(String text) throws IOException {
    if (Boolean.getBoolean("generate")) {
      Files.writeString(file, text);
    }
    assertThat(Files.exists(file) ? Files.readString(file) : "")
        .as("%s differs from the code; to write it anew:%n  %s%n", file, COMMAND)
        .isEqualTo(text);
  }
}
