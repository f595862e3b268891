package dev.sluice.lifecycle.quiet;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is counted of a connection. Lives as long as the {@link Turn} that counts. */
final class Tally {

  private QuietReport report;

  /**
   * @param report what is counted so far
   */
  Tally(QuietReport report) {
    this.report = report;
  }

  void stamp() {
    add(counting(1, 0, 0, 0, 0));
  }

  void earlyAnswer() {
    add(counting(0, 1, 0, 0, 0));
  }

  void lateAnswerDropped() {
    report = withLateAnswerDropped(report);
  }

  void oneWaysLost(int count) {
    add(counting(0, 0, 0, count, 0));
  }

  /** The connection ends while a request was partly read. */
  void endedWithinRequest() {
    add(counting(0, 0, 0, 0, 1));
  }

  void refused(Request request) {
    add(byApi(one(request), new TreeMap<>()));
  }

  void unanswered(Request request) {
    add(byApi(new TreeMap<>(), one(request)));
  }

  boolean hasRefused() {
    return !report.refused().isEmpty();
  }

  QuietReport report() {
    return report;
  }

  /** With how it ended, and how long it took. */
  QuietReport concluded(Optional<Outcome> outcome, Duration took) {
    var outcomes = new TreeMap<Outcome, Integer>();
    outcome.ifPresent(how -> outcomes.put(how, 1));
    return report.plus(
        new QuietReport(outcomes, 0, 0, 0, new TreeMap<>(), new TreeMap<>(), 0, 0, 0, took));
  }

  static QuietReport withLateAnswerDropped(QuietReport report) {
    return report.plus(counting(0, 0, 1, 0, 0));
  }

  private void add(QuietReport more) {
    report = report.plus(more);
  }

  private static SortedMap<String, Integer> one(Request request) {
    return new TreeMap<>(Map.of(request.api(), 1));
  }

  private static QuietReport counting(int stamps, int early, int late, int oneWays, int within) {
    return new QuietReport(
        new TreeMap<>(),
        stamps,
        early,
        late,
        new TreeMap<>(),
        new TreeMap<>(),
        oneWays,
        within,
        0,
        Duration.ZERO);
  }

  private static QuietReport byApi(
      SortedMap<String, Integer> refused, SortedMap<String, Integer> unanswered) {
    return new QuietReport(new TreeMap<>(), 0, 0, 0, refused, unanswered, 0, 0, 0, Duration.ZERO);
  }
}
