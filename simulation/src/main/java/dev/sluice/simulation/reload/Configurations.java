package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.simulation.Chance;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Configurations that chance makes, each a little different from the one before. */
final class Configurations {

  private static final List<String> NAMES = List.of("audit", "billing", "orders", "payments");

  /** Kafka cluster, and one of its addresses. */
  private static final List<String> UPSTREAMS = List.of("east/1", "east/2", "west/1");

  private static final List<Aspect> SIMPLE =
      List.of(Aspect.DRAIN_TIMEOUT, Aspect.LIMITS, Aspect.FILTERS, Aspect.API_VERSIONS);

  private static final int PORTS_OF_EACH = 10;

  private final Chance chance;
  private final SimPorts ports;

  Configurations(Chance chance) {
    this.chance = chance;
    this.ports = new SimPorts(chance);
  }

  /** Some of the names, or their new names. */
  SortedMap<String, Blueprint> first() {
    var made = new TreeMap<String, Blueprint>();
    for (var name : NAMES) {
      if (!chance.onceIn(4)) {
        made.put(name, made(name));
      }
    }
    return made;
  }

  /** Each name may change, go, come, or be replaced by its other name on the same ports. */
  SortedMap<String, Blueprint> after(SortedMap<String, Blueprint> former) {
    var next = new TreeMap<String, Blueprint>();
    for (var name : NAMES) {
      var other = other(name);
      if (former.containsKey(name)) {
        keep(next, name, other, Objects.requireNonNull(former.get(name)));
      } else if (former.containsKey(other)) {
        keep(next, other, name, Objects.requireNonNull(former.get(other)));
      } else if (chance.onceIn(3)) {
        next.put(name, made(name));
      }
    }
    return ports.moved(next, former);
  }

  /** The Kafka cluster that a blueprint leads to. */
  static String kafkaCluster(Blueprint blueprint) {
    var upstream = Objects.requireNonNull(blueprint.values().get(Aspect.UPSTREAM_ADDRESSES));
    return upstream.substring(0, upstream.indexOf('/'));
  }

  private void keep(
      SortedMap<String, Blueprint> next, String name, String other, Blueprint blueprint) {
    switch (chance.between(1, 12)) {
      case 1 -> {}
      case 2 -> next.put(other, blueprint);
      case 3, 4, 5, 6 -> next.put(name, changed(name, blueprint));
      default -> next.put(name, blueprint);
    }
  }

  private static String other(String name) {
    return "new-" + name;
  }

  private Blueprint made(String name) {
    return with(name, new EnumMap<>(Aspect.class));
  }

  private Blueprint changed(String name, Blueprint former) {
    var values = new EnumMap<Aspect, String>(Aspect.class);
    values.putAll(former.values());
    switch (chance.between(1, 3)) {
      case 1 -> values.remove(Aspect.UPSTREAM_ADDRESSES);
      case 2 -> values.remove(Aspect.GATEWAYS);
      default -> values.remove(chance.oneOf(SIMPLE));
    }
    return with(name, values);
  }

  /** What is not there is chosen. */
  private Blueprint with(String name, EnumMap<Aspect, String> values) {
    int first = (1 + NAMES.indexOf(name.replace("new-", ""))) * PORTS_OF_EACH;
    values.computeIfAbsent(Aspect.UPSTREAM_ADDRESSES, _ -> chance.oneOf(UPSTREAMS));
    values.computeIfAbsent(Aspect.GATEWAYS, _ -> Integer.toString(first + chance.between(0, 2)));
    for (var aspect : SIMPLE) {
      values.computeIfAbsent(aspect, _ -> Integer.toString(chance.between(1, 3)));
    }
    return SimPorts.placed(values);
  }
}
