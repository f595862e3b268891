package dev.sluice.roller;

import dev.sluice.planner.reading.View;
import java.util.List;

/**
 * What one observation saw.
 *
 * @param view what the planner decides on
 * @param astray partitions that are not led by their preferred replica although it is in sync, at
 *     most {@link #ASTRAY_MAX}
 * @param starving partitions that could do better and are below their minimum, at most {@link
 *     #STARVING_MAX}
 */
public record Look(View view, List<Astray> astray, List<String> starving) {

  /** The most partitions that one election is held for. */
  public static final int ASTRAY_MAX = 10_000;

  /** The most partitions that are named in a report. */
  public static final int STARVING_MAX = 20;

  public Look {
    astray = List.copyOf(astray);
    starving = List.copyOf(starving);
  }

  public static Look of(View view) {
    return new Look(view, List.of(), List.of());
  }

  /** The same, seen differently. */
  Look with(View other) {
    return new Look(other, astray, starving);
  }

  /**
   * A partition that another than its preferred replica leads.
   *
   * @param preferred the server that should lead it
   */
  public record Astray(String topic, int partition, int preferred) {}
}
