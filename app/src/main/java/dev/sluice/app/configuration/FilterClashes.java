package dev.sluice.app.configuration;

import dev.sluice.proxy.FilterSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.util.Collection;
import java.util.Collections;

/** Filters of different virtual clusters that must not stand before the same Kafka cluster. */
final class FilterClashes {

  private FilterClashes() {}

  /**
   * Reports how filters of a virtual cluster clash with those of the ones before it. Two have the
   * same Kafka cluster if they name a common bootstrap server: more cannot be known here.
   */
  static void report(Entry entry, VirtualClusterSpec spec, Collection<VirtualClusterSpec> before) {
    if (spec.filters().isEmpty()) {
      return;
    }
    for (var other : before) {
      if (!Collections.disjoint(spec.bootstrapServers(), other.bootstrapServers())) {
        report(entry, spec, other);
      }
    }
  }

  private static void report(Entry entry, VirtualClusterSpec spec, VirtualClusterSpec other) {
    for (var mine : spec.filters()) {
      for (var theirs : other.filters()) {
        if (isSameType(mine, theirs) && !mine.name().equals(theirs.name())) {
          mine.factory()
              .clash(mine.settings(), theirs.settings())
              .ifPresent(
                  why ->
                      entry.error(
                          "expected filters that go together before one Kafka cluster, found '%s' of"
                                  .formatted(mine.name())
                              + " virtual cluster %s and '%s' of virtual cluster %s: %s"
                                  .formatted(spec.name(), theirs.name(), other.name(), why)));
        }
      }
    }
  }

  private static boolean isSameType(FilterSpec one, FilterSpec other) {
    return one.factory().getClass() == other.factory().getClass();
  }
}
