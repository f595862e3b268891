package dev.sluice.audit.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a line in the log of a Java client tells. The texts are those of {@code NetworkClient} and
 * {@code Metadata} of kafka-clients 3.x and 4.x, at INFO.
 *
 * @param client the client id in the line's prefix
 * @param noticed what it counts as
 */
record LogReading(Optional<String> client, List<Noticed> noticed) {

  private static final Pattern CLIENT = Pattern.compile("clientId=([^,\\]]+)");
  private static final Pattern CANCELLED = Pattern.compile("Cancelled in-flight (\\w+) request");
  private static final Pattern DISCONNECTED = Pattern.compile("\\] Node -?\\d+ disconnected");
  private static final Pattern PREFIX = Pattern.compile("^(\\[[^]]*] )+");
  private static final Pattern NUMBERS = Pattern.compile("\\b\\d+\\b");

  record Noticed(Measure measure, String kind) {}

  static LogReading of(LogLine line) {
    Matcher client = CLIENT.matcher(line.text());
    return new LogReading(
        client.find() ? Optional.of(client.group(1)) : Optional.empty(), noticed(line));
  }

  private static List<Noticed> noticed(LogLine line) {
    var all = new ArrayList<Noticed>();
    Matcher cancelled = CANCELLED.matcher(line.text());
    if (cancelled.find()) {
      all.add(new Noticed(Measure.CANCELLED, cancelled.group(1)));
    } else if (DISCONNECTED.matcher(line.text()).find()) {
      all.add(new Noticed(Measure.DISCONNECTS, "node disconnected"));
    } else if (line.text().contains("Rebootstrapping with")) {
      all.add(new Noticed(Measure.REBOOTSTRAPS, "re-bootstrap"));
    }
    switch (line.level()) {
      case INFO -> {}
      case WARN -> all.add(new Noticed(Measure.WARNINGS, kind(line)));
      case ERROR -> all.add(new Noticed(Measure.ERRORS, kind(line)));
    }
    return all;
  }

  /** The text without what differs each time: prefix and numbers. */
  private static String kind(LogLine line) {
    String text = PREFIX.matcher(line.text()).replaceFirst("");
    return line.logger() + ": " + NUMBERS.matcher(text).replaceAll("#");
  }
}
