package dev.sluice.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a page has people type, and what it says is answered, in its order. */
record GuidePage(List<Typed> typed) {

  private static final Pattern FENCED =
      Pattern.compile("^```(console|sh)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /**
   * One command.
   *
   * @param answer lines; empty where the page shows none
   */
  record Typed(String command, List<String> answer) {

    /** A comment behind it is for the reader. */
    private static Typed of(String line) {
      return new Typed(line.replaceAll("\\s+#\\s.*", "").strip(), new ArrayList<>());
    }
  }

  static GuidePage read(String name) throws IOException {
    var typed = new ArrayList<Typed>();
    var page = Files.readString(Path.of("..").resolve(name));
    FENCED
        .matcher(page)
        .results()
        .forEach(
            block -> {
              boolean console = block.group(1).equals("console");
              for (var line : block.group(2).replaceAll("\\\\\n\\s*", " ").lines().toList()) {
                if (!console && !line.isBlank()) {
                  typed.add(Typed.of(line));
                } else if (line.startsWith("$ ")) {
                  typed.add(Typed.of(line.substring(2)));
                } else if (console && !line.equals("...")) {
                  typed.getLast().answer().add(line);
                }
              }
            });
    return new GuidePage(typed);
  }

  /**
   * Numbers differ from run to run, and so do how wide a column is, and in which way connections of
   * what clients ended.
   */
  static String shape(String line) {
    return line.strip()
        .replaceAll("\\d[-\\d]*T[\\d:.]+Z", "#")
        .replaceAll("\\d+(\\.\\d+)*", "#")
        .replaceAll("\\([a-z-]+\\);", "(#);")
        .replaceAll("(connections in # s):.*", "$1")
        .replaceAll("(unanswered #) .*", "$1")
        .replaceAll("\\s+", " ");
  }
}
