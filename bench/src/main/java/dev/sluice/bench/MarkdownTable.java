package dev.sluice.bench;

import java.util.ArrayList;
import java.util.List;

/** Rows of as many cells, the titles first, in columns of equal width. */
final class MarkdownTable {

  private final List<List<String>> rows = new ArrayList<>();

  MarkdownTable(List<String> titles) {
    rows.add(List.copyOf(titles));
  }

  void add(List<String> row) {
    if (row.size() != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          "Expected %d cells, found %s".formatted(rows.getFirst().size(), row));
    }
    rows.add(List.copyOf(row));
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  String text() {
    int[] widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var lines = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      lines.append(line(rows.get(i), widths));
      if (i == 0) {
        lines.append(line(rows.getFirst().stream().map(_ -> "---").toList(), widths));
      }
    }
    return lines.toString();
  }

  private static String line(List<String> cells, int[] widths) {
    var line = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      line.append(' ').append(cell).repeat(' ', widths[i] - cell.length()).append(" |");
    }
    return line.append('\n').toString();
  }
}
