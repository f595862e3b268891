package dev.sluice.proxy;

import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Place;
import java.util.EnumMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** From a configuration of a virtual cluster to what of it is compared, aspect by aspect. */
final class Blueprints {

  private Blueprints() {}

  /** Records compare by value, and are written by value: their text is equal where they are. */
  static Blueprint of(VirtualClusterSpec spec) {
    var values = new EnumMap<Aspect, String>(Aspect.class);
    values.put(Aspect.DRAIN_TIMEOUT, spec.drain().toString());
    values.put(Aspect.LIMITS, spec.limits().toString());
    values.put(Aspect.FILTERS, fingerprints(spec, _ -> true));
    values.put(Aspect.NAMES, fingerprints(spec, filter -> filter.factory().changesNames()));
    values.put(Aspect.UPSTREAM_ADDRESSES, spec.bootstrapServers().toString());
    values.put(Aspect.GATEWAYS, spec.gateways().toString());
    return new Blueprint(values, places(spec));
  }

  private static String fingerprints(VirtualClusterSpec spec, Predicate<FilterSpec> wanted) {
    return spec.filters().stream().filter(wanted).map(FilterSpec::fingerprint).toList().toString();
  }

  private static SortedSet<Place> places(VirtualClusterSpec spec) {
    var places = new TreeSet<Place>();
    for (var gateway : spec.gateways()) {
      for (int port : new NodePorts(gateway).ports().keySet()) {
        places.add(Place.of(gateway.bindAddress(), port));
      }
    }
    return places;
  }
}
