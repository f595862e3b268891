package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page that keeps the last run; the part between its markers belongs to the run. */
final class PerformancePage {

  static final String BEGIN = "<!-- written by bench/run: begin -->";
  static final String END = "<!-- written by bench/run: end -->";

  private PerformancePage() {}

  static void write(Path page, String report) throws IOException {
    Files.writeString(page, withReport(Files.readString(page), report));
  }

  static String withReport(String page, String report) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "Expected the lines '%s' and '%s', in this order, found a page without them; add them"
              .formatted(BEGIN, END));
    }
    return page.substring(0, begin + BEGIN.length())
        + "\n\n"
        + report.strip()
        + "\n\n"
        + page.substring(end);
  }
}
