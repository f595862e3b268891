package dev.sluice.app.configuration;

import dev.sluice.protocol.Endpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations, sizes and addresses as people write them. Empty where the text is none. */
final class Quantities {

  private static final Pattern DURATION =
      Pattern.compile("(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,6})s)?(?:(\\d{1,9})ms)?");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,10}) ?(B|KiB|MiB|GiB)?");
  private static final Pattern HOST_PORT =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^\\s:\\[\\],/]+)):(\\d{1,5})");

  private Quantities() {}

  /** {@code 1h}, {@code 1m30s}, {@code 500ms}. */
  static Optional<Duration> duration(String text) {
    var matcher = DURATION.matcher(text);
    if (text.isEmpty() || !matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        Duration.ofHours(number(matcher, 1))
            .plusMinutes(number(matcher, 2))
            .plusSeconds(number(matcher, 3))
            .plusMillis(number(matcher, 4)));
  }

  /** In bytes; {@code 100MiB}, {@code 1048576}. */
  static Optional<Long> size(String text) {
    var matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var shift =
        switch (matcher.group(2)) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          case null, default -> 0;
        };
    return Optional.of(number(matcher, 1) << shift);
  }

  /** {@code kafka-0:9092}, {@code [::1]:9092}. */
  static Optional<Endpoint> endpoint(String text) {
    var matcher = HOST_PORT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var port = (int) number(matcher, 3);
    var host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    return port < 1 || port > 65_535 ? Optional.empty() : Optional.of(new Endpoint(host, port));
  }

  /** The way back of {@link #duration}. */
  static String shown(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    return part(duration.toHours(), "h")
        + part(duration.toMinutesPart(), "m")
        + part(duration.toSecondsPart(), "s")
        + part(duration.toMillisPart(), "ms");
  }

  private static String part(long amount, String unit) {
    return amount == 0 ? "" : amount + unit;
  }

  private static long number(Matcher matcher, int group) {
    return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
  }
}
