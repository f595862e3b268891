package dev.sluice.app.configuration;

import dev.sluice.app.configuration.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what is found in one document, and knows where its values stand. */
final class Findings {

  /** Where a value or key stands, both from 1. */
  record Position(int line, int column) {
    static final Position START = new Position(1, 1);
  }

  /**
   * Shorter values of the environment are shown, in characters: a port, a number or a flag that
   * happens to stand in a sentence is no secret, and the sentence is to stay readable.
   */
  private static final int SHORTEST_CONCEALED = 6;

  private final Map<String, Position> positions;
  private final List<Finding> found = new ArrayList<>();

  /** What came from the environment, and how it is written in the document; longest first. */
  private final Map<String, String> concealed =
      new TreeMap<>(Comparator.comparingInt(String::length).reversed().thenComparing(text -> text));

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

  /**
   * From now on a message that would show this value of the environment, which may be a secret,
   * shows what the document says instead.
   */
  void conceal(String value, String written) {
    if (value.length() >= SHORTEST_CONCEALED) {
      concealed.putIfAbsent(value, written);
    }
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
    var shown = message;
    for (var one : concealed.entrySet()) {
      shown = shown.replace(one.getKey(), one.getValue());
    }
    found.add(new Finding(severity, path, position.line(), position.column(), shown));
  }
}
