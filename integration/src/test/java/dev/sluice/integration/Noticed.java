package dev.sluice.integration;

import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Lap;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What clients noticed of one event after the other, under load.
 *
 * @param laps of each event, what each client noticed from it on to the next
 * @param report of the whole
 */
record Noticed(List<SortedMap<String, Lap>> laps, AuditReport report) {

  /** The Java client's own notice that it was asked to pause, since 4.4. */
  static final Predicate<String> THROTTLE_NOTICE = kind -> kind.contains(" is throttled for ");

  private static final String SHARE = "java-share";

  private static final String READER = "-reader";

  /** How much load passes before the first event, and after each, in seconds of its rate. */
  private static final int SECONDS_BETWEEN = 2;

  private static final int BASELINE_SECONDS = 6;

  /** What happens to the clients. */
  interface Event {
    void happen(int number) throws Exception;
  }

  /** Runs the load and lets it happen so many times. */
  static Noticed of(AuditPlan plan, int events, Event event) throws Exception {
    var laps = new ArrayList<SortedMap<String, Lap>>();
    try (var audit = Audit.start(plan, new LogbackSource())) {
      audit.skipped().forEach(client -> System.out.println("SKIPPED: " + client));
      var cold = audit.awaitWarm(System.out::println);
      if (!cold.isEmpty()) {
        throw new AssertionError("expected every client to make progress, found none of " + cold);
      }
      awaitLoad(audit, plan, BASELINE_SECONDS);
      audit.enter(Window.EVENT);
      for (int i = 0; i < events; i++) {
        audit.lap();
        event.happen(i);
        awaitLoad(audit, plan, SECONDS_BETWEEN);
        laps.add(audit.lap());
      }
      return new Noticed(laps, audit.finish());
    }
  }

  /** As many records as so many seconds of one producer are worth, of all together. */
  private static void awaitLoad(Audit audit, AuditPlan plan, int seconds) {
    long enough = audit.sent() + (long) seconds * plan.load().recordsPerSecond() * producers(plan);
    await().atMost(Duration.ofSeconds(20L * seconds)).until(audit::sent, sent -> sent >= enough);
  }

  /** At least so many keep to the rate, whatever languages and transactions cost. */
  private static int producers(AuditPlan plan) {
    return Math.max(1, plan.clients().names().size() / 3);
  }

  /** What no event may do to any client. */
  List<String> breaches() {
    return Limits.DEFAULT.judge(report).breaches();
  }

  /**
   * The same, but for two things that no proxy which closes a connection can keep from the Java
   * client: the callback of an asynchronous commit that falls into its reconnect back-off, which
   * says that one should retry; and a share group's redelivery of what was acquired over a
   * connection that has ended.
   */
  List<String> breachesOfClosing() {
    var breaches = breachesOtherThanExceptions();
    breaches.removeIf(breach -> breach.startsWith(SHARE + ": duplicated"));
    kinds(Measure.EXCEPTIONS, client -> !client.equals(SHARE)).keySet().stream()
        .filter(kind -> !kind.contains("RetriableCommitFailedException"))
        .forEach(breaches::add);
    return breaches;
  }

  /**
   * What closed connections may do to no client of another language either. Each of them comes back
   * in its own way and tells its application in its own way: sarama's consumer passes on every end
   * of a connection, kafkajs' consumer begins anew where it committed last when its retries are
   * over, kcat ends when all its connections are down at one time.
   */
  List<String> breachesOfClosingPrograms() {
    var breaches = breachesOtherThanExceptions();
    breaches.removeIf(breach -> breach.contains(READER + ": duplicated"));
    return breaches;
  }

  private List<String> breachesOtherThanExceptions() {
    return new ArrayList<>(
        Limits.DEFAULT.with(Measure.EXCEPTIONS, Long.MAX_VALUE).judge(report).breaches());
  }

  /** One line of the guide's table, to compare what is done to clients. */
  String row(String title) {
    var cells = new ArrayList<String>(List.of(title));
    for (var role : ClientReport.Role.values()) {
      for (var measure : List.of(Measure.LOST, Measure.DUPLICATED, Measure.REORDERED)) {
        cells.add(Long.toString(inTheEnd(role, measure)));
      }
    }
    for (var api : List.of("PRODUCE", "OFFSET_COMMIT")) {
      cells.add(Long.toString(cancelled(api)));
    }
    for (var measure :
        List.of(
            Measure.CANCELLED,
            Measure.EXCEPTIONS,
            Measure.WARNINGS,
            Measure.REBOOTSTRAPS,
            Measure.REBALANCES)) {
      cells.add(Long.toString(count(measure)));
    }
    return "COMPARED | " + String.join(" | ", cells) + " |";
  }

  private long inTheEnd(ClientReport.Role role, Measure measure) {
    return report.clients().stream()
        .filter(client -> client.role() == role)
        .mapToLong(client -> client.total(measure))
        .sum();
  }

  /** Cancelled requests of an API, over all events. */
  long cancelled(String api) {
    return laps.stream()
        .flatMap(lap -> lap.values().stream())
        .mapToLong(lap -> lap.kinds().getOrDefault(Measure.CANCELLED.shown() + ": " + api, 0L))
        .sum();
  }

  /** How often this was noticed by clients, over all events. */
  long count(Measure measure) {
    return laps.stream()
        .flatMap(lap -> lap.values().stream())
        .mapToLong(lap -> lap.count(measure))
        .sum();
  }

  /** How often a client noticed this, over all events. */
  long count(String client, Measure measure) {
    return laps.stream().mapToLong(lap -> lapOf(lap, client).count(measure)).sum();
  }

  /** The events in which some client's log has a warning of a kind that it had not before. */
  long eventsWithWarnings(Predicate<String> expected) {
    return laps.stream()
        .filter(
            lap ->
                report.clients().stream()
                    .anyMatch(
                        client ->
                            lapOf(lap, client.client()).kinds().keySet().stream()
                                .filter(kind -> kind.startsWith(Measure.WARNINGS.shown()))
                                .anyMatch(
                                    kind -> !expected.test(kind) && !hadBefore(client, kind))))
        .count();
  }

  private static boolean hadBefore(ClientReport client, String kind) {
    return Unnoticed.isUsual(client, kind)
        || Stream.of(Window.WARMING, Window.BASELINE)
            .map(client.windows()::get)
            .anyMatch(page -> page != null && page.kinds().containsKey(kind));
  }

  /** Events in which some client paused for longer than its baseline and so much more. */
  long eventsWithPauses(Duration beyondBaseline) {
    return laps.stream()
        .filter(
            lap ->
                lap.entrySet().stream()
                    .anyMatch(
                        one ->
                            one.getValue()
                                    .longestPause()
                                    .compareTo(baseline(one.getKey()).plus(beyondBaseline))
                                > 0))
        .count();
  }

  private static Lap lapOf(SortedMap<String, Lap> laps, String client) {
    return laps.getOrDefault(client, new Lap(new TreeMap<>(), Duration.ZERO));
  }

  private Duration baseline(String client) {
    return report.clients().stream()
        .filter(one -> one.client().equals(client))
        .map(one -> one.longestPause(Window.BASELINE))
        .findFirst()
        .orElse(Duration.ZERO);
  }

  /** The report and, in one line per client, what all events together came to. */
  String told(String title) {
    var lines = new ArrayList<String>();
    lines.add("== " + title + ": " + laps.size() + " events");
    lines.addAll(ReportTable.lines(report, Limits.DEFAULT.judge(report)));
    lines.add("");
    lines.add("Pauses during each event beyond the longest of the baseline, in ms:");
    for (var client : report.clients()) {
      var beyond =
          laps.stream()
              .map(lap -> lapOf(lap, client.client()).longestPause())
              .map(pause -> pause.minus(client.longestPause(Window.BASELINE)).toMillis())
              .sorted()
              .toList();
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-24s median %5d, longest %5d",
              client.client(),
              beyond.get(beyond.size() / 2),
              beyond.getLast()));
    }
    for (var measure : List.of(Measure.CANCELLED, Measure.EXCEPTIONS, Measure.WARNINGS)) {
      kinds(measure, _ -> true).forEach((kind, count) -> lines.add("  " + count + " x " + kind));
    }
    return String.join("\n", lines);
  }

  private SortedMap<String, Long> kinds(Measure measure, Predicate<String> clients) {
    var all = new TreeMap<String, Long>();
    laps.stream()
        .flatMap(lap -> lap.entrySet().stream())
        .filter(lap -> clients.test(lap.getKey()))
        .flatMap(lap -> lap.getValue().kinds().entrySet().stream())
        .filter(kind -> kind.getKey().startsWith(measure.shown() + ": "))
        .forEach(kind -> all.merge(kind.getKey(), kind.getValue(), Long::sum));
    return all;
  }
}
