package dev.sluice.audit.ledger;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a client may make no progress during the event.
 *
 * @param allowed at most this long
 * @param aboveBaseline whether what it paused without an event is added
 */
public record PauseLimit(Duration allowed, boolean aboveBaseline) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m)(-above-baseline)?");

  /** Reads {@code 500ms}, {@code 2s} or {@code 500ms-above-baseline}. */
  public static PauseLimit parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "Expected a pause like 500ms, 2s or 500ms-above-baseline, found " + text);
    }
    long number = Long.parseLong(form.group(1));
    Duration allowed =
        switch (form.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          default -> Duration.ofMinutes(number);
        };
    return new PauseLimit(allowed, form.group(3) != null);
  }

  Duration of(Duration baseline) {
    return aboveBaseline ? allowed.plus(baseline) : allowed;
  }
}
