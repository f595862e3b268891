package dev.sluice.app.command;

import java.util.List;

/** Rows of cells as lines, each column as wide as its widest cell. */
final class Columns {

  private static final String GAP = "  ";

  /** How a cell looks once it is as wide as its column. */
  interface Look {
    String of(int column, String cell, String padded);
  }

  private Columns() {}

  static List<String> aligned(List<List<String>> rows) {
    return aligned(rows, (_, _, padded) -> padded);
  }

  /**
   * Aligned.
   *
   * @param rows at least one, all of the same length
   */
  static List<String> aligned(List<List<String>> rows, Look look) {
    var widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths, look)).toList();
  }

  private static String line(List<String> row, int[] widths, Look look) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      var padded = row.get(i) + " ".repeat(widths[i] - row.get(i).length());
      line.append(look.of(i, row.get(i), padded)).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
