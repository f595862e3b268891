package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The page that keeps the last run of each workload. The parts between its markers belong to runs;
 * a run replaces those of the workloads that it had, and leaves the others as they are.
 */
final class PerformancePage {

  /** The part that tells of machine and versions. */
  static final String HEAD = "head";

  private PerformancePage() {}

  static void write(Path page, String part, String report) throws IOException {
    Files.writeString(page, withReport(Files.readString(page), part, report));
  }

  static String withReport(String page, String part, String report) {
    String beginMark = mark(part, "begin");
    String endMark = mark(part, "end");
    int begin = page.indexOf(beginMark);
    int end = page.indexOf(endMark);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "Expected the lines '%s' and '%s', in this order, found a page without them; add them"
              .formatted(beginMark, endMark));
    }
    return page.substring(0, begin + beginMark.length())
        + "\n\n"
        + report.strip()
        + "\n\n"
        + page.substring(end);
  }

  static String mark(String part, String end) {
    return "<!-- bench/run %s: %s -->".formatted(part, end);
  }
}
