package dev.sluice.proxy;

import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Place;
import dev.sluice.proxy.GatewaySpec.Nodes;
import dev.sluice.proxy.tls.TlsSpec;
import java.util.EnumMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
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
    values.put(Aspect.UPSTREAM_TLS, spec.upstreamTls().toString());
    values.put(
        Aspect.GATEWAYS, spec.gateways().stream().map(Blueprints::place).toList().toString());
    values.put(Aspect.AUTHENTICATION, ofTls(spec, tls -> tls.clientAuth().toString()));
    values.put(Aspect.CERTIFICATES, ofTls(spec, TlsSpec::material));
    return new Blueprint(values, places(spec));
  }

  /** Where clients arrive, and what is agreed upon with them; not with which certificates. */
  private static String place(GatewaySpec gateway) {
    return gateway.withTls(Optional.empty()) + " " + gateway.tls().map(TlsSpec::manners);
  }

  private static String ofTls(VirtualClusterSpec spec, Function<TlsSpec, String> told) {
    return spec.gateways().stream()
        .filter(gateway -> gateway.tls().isPresent())
        .map(gateway -> gateway.name() + " " + gateway.tls().map(told))
        .toList()
        .toString();
  }

  /**
   * How brokers are spoken with, whatever is in the files: an upstream connection stays where only
   * a file was rotated, as a client's does.
   */
  static String reach(VirtualClusterSpec spec) {
    return spec.upstreamTls()
        .map(tls -> tls.manners() + " " + tls.verifies() + " " + tls.key().isPresent())
        .orElse("plain");
  }

  private static String fingerprints(VirtualClusterSpec spec, Predicate<FilterSpec> wanted) {
    return spec.filters().stream().filter(wanted).map(FilterSpec::fingerprint).toList().toString();
  }

  private static SortedSet<Place> places(VirtualClusterSpec spec) {
    var places = new TreeSet<Place>();
    for (var gateway : spec.gateways()) {
      for (int port : new NodePorts(gateway).ports().keySet()) {
        var place = Place.of(gateway.bindAddress(), port);
        places.add(gateway.nodes() instanceof Nodes.ByHostName ? place.asShared() : place);
      }
    }
    return places;
  }
}
