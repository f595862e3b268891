package dev.sluice.lifecycle.quiet;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What going quiet came to, of one connection or of many.
 *
 * @param outcomes how many connections ended how
 * @param stamps responses that asked for a pause
 * @param earlyAnswers polls that were answered in the broker's place
 * @param lateAnswersDropped responses of brokers that came after that
 * @param refused requests that were refused, by API
 * @param unanswered requests that were read and got no answer, by API: what a client may notice
 * @param oneWaysLost one-way requests that were read and did not reach the broker
 * @param endedWithinRequest connections that ended while a request was partly read
 * @param reconnectWaitsRanOut how often a client had not come back to a node before the next one
 * @param longest from the mark to the end, of the connection that took longest
 */
public record QuietReport(
    SortedMap<Outcome, Integer> outcomes,
    int stamps,
    int earlyAnswers,
    int lateAnswersDropped,
    SortedMap<String, Integer> refused,
    SortedMap<String, Integer> unanswered,
    int oneWaysLost,
    int endedWithinRequest,
    int reconnectWaitsRanOut,
    Duration longest) {

  /** Of no connection. */
  public static final QuietReport NONE =
      new QuietReport(
          new TreeMap<>(), 0, 0, 0, new TreeMap<>(), new TreeMap<>(), 0, 0, 0, Duration.ZERO);

  public QuietReport {
    outcomes = Collections.unmodifiableSortedMap(new TreeMap<>(outcomes));
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    unanswered = Collections.unmodifiableSortedMap(new TreeMap<>(unanswered));
  }

  /** Of both. */
  public QuietReport plus(QuietReport other) {
    return new QuietReport(
        sum(outcomes, other.outcomes),
        stamps + other.stamps,
        earlyAnswers + other.earlyAnswers,
        lateAnswersDropped + other.lateAnswersDropped,
        sum(refused, other.refused),
        sum(unanswered, other.unanswered),
        oneWaysLost + other.oneWaysLost,
        endedWithinRequest + other.endedWithinRequest,
        reconnectWaitsRanOut + other.reconnectWaitsRanOut,
        longest.compareTo(other.longest) >= 0 ? longest : other.longest);
  }

  /** With the reconnect waits of a {@link Stagger}. */
  public QuietReport withReconnectWaitsRanOut(int more) {
    return plus(
        new QuietReport(
            NONE.outcomes, 0, 0, 0, NONE.refused, NONE.unanswered, 0, 0, more, Duration.ZERO));
  }

  /** How many connections ended like this. */
  public int count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0);
  }

  /** How many requests clients may have noticed: read, and not answered. */
  public int noticed() {
    return total(unanswered) + oneWaysLost;
  }

  private static int total(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static <K extends Comparable<K>> SortedMap<K, Integer> sum(
      Map<K, Integer> some, Map<K, Integer> more) {
    var both = new TreeMap<>(some);
    more.forEach((key, count) -> both.merge(key, count, Integer::sum));
    return both;
  }
}
