package dev.sluice.lifecycle.reload;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A configuration of a virtual cluster as far as it can be compared: for each aspect a text that is
 * equal exactly where the aspect is. It holds no secrets: of a file there is a digest.
 *
 * @param values by aspect; an aspect that is not there has its default
 * @param places where it listens
 */
public record Blueprint(Map<Aspect, String> values, SortedSet<Place> places) {

  public Blueprint {
    values = Collections.unmodifiableMap(copy(values));
    places = Collections.unmodifiableSortedSet(new TreeSet<>(places));
  }

  private static Map<Aspect, String> copy(Map<Aspect, String> values) {
    var copy = new EnumMap<Aspect, String>(Aspect.class);
    copy.putAll(values);
    return copy;
  }

  /** In what they differ. */
  public Set<Aspect> differences(Blueprint other) {
    var differing = EnumSet.noneOf(Aspect.class);
    for (var aspect : Aspect.values()) {
      if (!Objects.equals(values.get(aspect), other.values.get(aspect))) {
        differing.add(aspect);
      }
    }
    return Collections.unmodifiableSet(differing);
  }

  /** Whether a person would take the one for the other under another name. */
  boolean looksLike(Blueprint other) {
    var differing = differences(other);
    return !differing.contains(Aspect.GATEWAYS) && !differing.contains(Aspect.UPSTREAM_ADDRESSES);
  }

  /** Where it listens and the other does not. */
  SortedSet<Place> placesBeyond(Blueprint other) {
    var beyond = new TreeSet<>(places);
    beyond.removeAll(other.places);
    return beyond;
  }
}
