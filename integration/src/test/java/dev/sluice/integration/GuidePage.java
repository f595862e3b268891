package dev.sluice.integration;

import dev.sluice.app.guide.Block;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a page has people type, and what it says is answered, in its order. */
record GuidePage(List<Typed> typed) {

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

  static GuidePage read(String name) {
    var typed = new ArrayList<Typed>();
    blocks(name).forEach(block -> typed.addAll(typed(block)));
    return new GuidePage(typed);
  }

  /** All that is fenced on a page, in its order. */
  static List<Block> blocks(String name) {
    return Block.of(Path.of("..").resolve(name));
  }

  /** What one block has people type; none where it is something else. */
  static List<Typed> typed(Block block) {
    var typed = new ArrayList<Typed>();
    switch (block.language()) {
      case "sh" ->
          block.whole().lines().filter(line -> !line.isBlank()).map(Typed::of).forEach(typed::add);
      case "console" -> block.whole().lines().forEach(line -> add(line, typed));
      default -> {}
    }
    return typed;
  }

  private static void add(String line, List<Typed> typed) {
    if (line.startsWith("$ ")) {
      typed.add(Typed.of(line.substring(2)));
    } else if (!line.equals("...")) {
      typed.getLast().answer().add(line);
    }
  }

  /**
   * Numbers differ from run to run, and so do how wide a column is, and in which way connections of
   * what clients ended.
   */
  static String shape(String line) {
    return line.strip()
        .replaceAll("\\d[-\\d]*T[\\d:.]+Z", "#")
        .replaceAll("\\d+(\\.\\d+)*", "#")
        .replaceAll("from \\S*/", "from ")
        .replaceAll("\\([a-z-]+\\);", "(#);")
        .replaceAll("(connections in # s):.*", "$1")
        .replaceAll("(unanswered #) .*", "$1")
        .replaceAll("\\s+", " ");
  }
}
