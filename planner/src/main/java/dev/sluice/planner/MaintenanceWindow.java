package dev.sluice.planner;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * When actions may start. What was started is always followed to its end.
 *
 * @param days on which it opens
 * @param from local time at which it opens
 * @param length positive, at most a day; it may pass midnight
 */
public record MaintenanceWindow(Set<DayOfWeek> days, LocalTime from, Duration length, ZoneId zone) {

  public MaintenanceWindow {
    if (days.isEmpty() || !length.isPositive() || length.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          "expected a day and a length of up to 24h, found " + days + ", " + length);
    }
    days = Collections.unmodifiableSet(EnumSet.copyOf(days));
  }

  /** Whether it is open. */
  public boolean contains(Instant instant) {
    ZonedDateTime local = instant.atZone(zone);
    return opensAndHolds(local, 0) || opensAndHolds(local, 1);
  }

  /** The next time that it opens after an instant. */
  public Instant nextOpening(Instant after) {
    ZonedDateTime opening = after.atZone(zone).with(from);
    while (!opening.toInstant().isAfter(after) || !days.contains(opening.getDayOfWeek())) {
      opening = opening.plusDays(1).with(from);
    }
    return opening.toInstant();
  }

  private boolean opensAndHolds(ZonedDateTime local, int daysBefore) {
    ZonedDateTime opening = local.minusDays(daysBefore).with(from);
    Instant instant = local.toInstant();
    return days.contains(opening.getDayOfWeek())
        && !instant.isBefore(opening.toInstant())
        && instant.isBefore(opening.toInstant().plus(length));
  }
}
