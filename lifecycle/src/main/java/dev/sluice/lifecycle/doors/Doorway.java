package dev.sluice.lifecycle.doors;

import dev.sluice.lifecycle.reload.Place;
import java.util.Comparator;

/**
 * What makes a door the same as another.
 *
 * @param names by which its clients ask for it at a place that is shared; empty: they just arrive
 */
public record Doorway(Place place, String names) implements Comparable<Doorway> {

  private static final Comparator<Doorway> ORDER =
      Comparator.comparing(Doorway::place).thenComparing(Doorway::names);

  /** Of somebody who shares it with nobody. */
  public Doorway(Place place) {
    this(place, "");
  }

  /** Whether whoever arrives at its port at a narrower address arrives here when that is closed. */
  boolean isWide() {
    return place.isEverywhere() && !place.shared();
  }

  @Override
  public int compareTo(Doorway other) {
    return ORDER.compare(this, other);
  }
}
