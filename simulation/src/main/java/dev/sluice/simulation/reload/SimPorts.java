package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Place;
import dev.sluice.simulation.Chance;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** One port for each cluster of a configuration, which sometimes was another's before. */
final class SimPorts {

  /** Ports that nobody chooses otherwise, for those who have to go elsewhere. */
  private static final int FIRST_SPARE = 1_000;

  private final Chance chance;

  SimPorts(Chance chance) {
    this.chance = chance;
  }

  /** Where its gateways say. */
  static Blueprint placed(Map<Aspect, String> values) {
    int port = Integer.parseInt(Objects.requireNonNull(values.get(Aspect.GATEWAYS)));
    return new Blueprint(values, new TreeSet<>(List.of(new Place("", port))));
  }

  /** Some clusters go to ports that others have left, or exchange them; no two have the same. */
  SortedMap<String, Blueprint> moved(
      SortedMap<String, Blueprint> next, SortedMap<String, Blueprint> former) {
    if (!next.isEmpty() && !former.isEmpty() && chance.onceIn(3)) {
      var mover = chance.oneOf(List.copyOf(next.keySet()));
      var owner = chance.oneOf(List.copyOf(former.keySet()));
      var port = port(Objects.requireNonNull(former.get(owner)));
      next.computeIfPresent(mover, (_, blueprint) -> at(port, blueprint));
    }
    return distinct(next);
  }

  /** Of those who want the same port the first has it. */
  private SortedMap<String, Blueprint> distinct(SortedMap<String, Blueprint> wanted) {
    var taken = new TreeMap<Integer, String>();
    var all = new TreeMap<String, Blueprint>();
    wanted.forEach(
        (name, blueprint) -> {
          int port = port(blueprint);
          while (taken.putIfAbsent(port, name) != null) {
            port = FIRST_SPARE + chance.between(0, 5);
          }
          all.put(name, at(port, blueprint));
        });
    return all;
  }

  private static int port(Blueprint blueprint) {
    return blueprint.places().getFirst().port();
  }

  private static Blueprint at(int port, Blueprint blueprint) {
    var values = new EnumMap<Aspect, String>(Aspect.class);
    values.putAll(blueprint.values());
    values.put(Aspect.GATEWAYS, Integer.toString(port));
    return placed(values);
  }
}
