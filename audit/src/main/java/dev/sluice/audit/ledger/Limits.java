package dev.sluice.audit.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much may be found before an audit has failed. A measure without a limit is only told.
 *
 * @param most the most of a measure for each client: over the whole run of what is about data,
 *     after the warm-up of all else (ADR 0082)
 * @param pause the longest pause of a client during the event
 * @param mostSkipped how many clients may be left out
 */
public record Limits(Map<Measure, Long> most, Optional<PauseLimit> pause, int mostSkipped) {

  /** Nothing lost, duplicated, reordered, corrupted, and no error in an application. */
  public static final Limits DEFAULT =
      new Limits(
          Map.of(
              Measure.LOST, 0L,
              Measure.DUPLICATED, 0L,
              Measure.REORDERED, 0L,
              Measure.CORRUPTED, 0L,
              Measure.EXCEPTIONS, 0L),
          Optional.empty(),
          Integer.MAX_VALUE);

  public Limits {
    most = Map.copyOf(most);
  }

  public Limits with(Measure measure, long allowed) {
    var changed = new EnumMap<Measure, Long>(Measure.class);
    changed.putAll(most);
    changed.put(measure, allowed);
    return new Limits(changed, pause, mostSkipped);
  }

  public Limits withPause(PauseLimit limit) {
    return new Limits(most, Optional.of(limit), mostSkipped);
  }

  public Limits withMostSkipped(int clients) {
    return new Limits(most, pause, clients);
  }

  /** Judges: also an audit that saw no load has failed, because its zeros prove nothing. */
  public Verdict judge(AuditReport report) {
    var excused = new ArrayList<String>();
    var breaches = new ArrayList<String>(report.unproven());
    if (report.clients().isEmpty()) {
      breaches.add("no client ran: nothing is proven");
    }
    for (ClientReport client : report.clients()) {
      unproven(client).ifPresent(breaches::add);
      breaches.addAll(breaches(client));
      excused.addAll(excused(client));
    }
    if (report.skipped().size() > mostSkipped) {
      breaches.add("skipped: %d, allowed %d".formatted(report.skipped().size(), mostSkipped));
    }
    return new Verdict(breaches, excused);
  }

  private static Optional<String> unproven(ClientReport client) {
    Measure load =
        client.role() == ClientReport.Role.PRODUCER ? Measure.ACKNOWLEDGED : Measure.SEEN;
    return client.total(load) > client.count(load, Window.WARMING)
        ? Optional.empty()
        : Optional.of(
            "%s: %s 0 after the warm-up: its zeros prove nothing"
                .formatted(client.client(), load.shown()));
  }

  private List<String> breaches(ClientReport client) {
    var found = new ArrayList<String>();
    for (Measure measure : Measure.values()) {
      Long allowed = most.get(measure);
      long count = client.total(measure) - excused(client, measure);
      if (allowed != null && count > allowed) {
        found.add(
            "%s: %s %d, allowed %d".formatted(client.client(), measure.shown(), count, allowed));
      }
    }
    pause.ifPresent(limit -> found.addAll(pauses(client, limit)));
    return found;
  }

  private List<String> excused(ClientReport client) {
    return most.keySet().stream()
        .sorted()
        .filter(measure -> excused(client, measure) > 0)
        .map(
            measure ->
                "%s: %s %d in the warm-up"
                    .formatted(client.client(), measure.shown(), excused(client, measure)))
        .toList();
  }

  private static long excused(ClientReport client, Measure measure) {
    return measure.isOfData() ? 0 : client.count(measure, Window.WARMING);
  }

  private static List<String> pauses(ClientReport client, PauseLimit limit) {
    Duration found = client.longestPause(Window.EVENT);
    Duration allowed = limit.of(client.longestPause(Window.BASELINE));
    return found.compareTo(allowed) <= 0
        ? List.of()
        : List.of(
            "%s: pause %d ms, allowed %d ms"
                .formatted(client.client(), found.toMillis(), allowed.toMillis()));
  }
}
