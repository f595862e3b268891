package dev.sluice.app.configuration;

import dev.sluice.app.configuration.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Collects what is found in one document, and knows where its values stand. */
final class Findings {

  /** Where a value or key stands, both from 1. */
  record Position(int line, int column) {
    static final Position START = new Position(1, 1);
  }

  private final Map<String, Position> positions;
  private final List<Finding> found = new ArrayList<>();

  /**
   * @param positions of values by path; may still grow
   */
  Findings(Map<String, Position> positions) {
    this.positions = positions;
  }

  void error(String path, String message) {
    add(Severity.ERROR, path, at(path), message);
  }

  void error(String path, Position position, String message) {
    add(Severity.ERROR, path, position, message);
  }

  void warning(String path, String message) {
    add(Severity.WARNING, path, at(path), message);
  }

  /** The line of a value, for messages that refer to another place. */
  int lineOf(String path) {
    return at(path).line();
  }

  boolean anyErrorAt(String path) {
    return found.stream().anyMatch(f -> f.severity() == Severity.ERROR && f.path().equals(path));
  }

  boolean anyError() {
    return found.stream().anyMatch(f -> f.severity() == Severity.ERROR);
  }

  /** In the order of the document. */
  List<Finding> inOrder() {
    return found.stream()
        .distinct()
        .sorted(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column))
        .toList();
  }

  private Position at(String path) {
    return positions.getOrDefault(path, Position.START);
  }

  private void add(Severity severity, String path, Position position, String message) {
    found.add(new Finding(severity, path, position.line(), position.column(), message));
  }
}
