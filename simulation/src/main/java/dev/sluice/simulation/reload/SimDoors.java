package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.doors.Doors;
import dev.sluice.lifecycle.doors.Doorway;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Place;
import dev.sluice.simulation.VirtualTime;
import java.time.Instant;
import java.util.Collection;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The sockets of one virtual cluster: opened and closed as is decided. Keeps its own book of which
 * clients may still know, and since when no generation names them.
 */
final class SimDoors {

  private static final String GATEWAY = "local";

  private final String owner;
  private final VirtualTime time;
  private final ReloadDecisions decisions;
  private final SortedMap<Integer, SortedSet<Doorway>> namedBy = new TreeMap<>();
  private final SortedSet<Doorway> open = new TreeSet<>();
  private final SortedSet<Doorway> known = new TreeSet<>();
  private final SortedMap<Doorway, Instant> leftAt = new TreeMap<>();
  private boolean admitted;
  private Doors doors = Doors.NONE;

  SimDoors(String owner, VirtualTime time, ReloadDecisions decisions) {
    this.owner = owner;
    this.time = time;
    this.decisions = decisions;
  }

  static SortedSet<Doorway> of(Blueprint blueprint) {
    return blueprint.places().stream()
        .map(Doorway::new)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  // ---- what happens --------------------------------------------------------------------------

  /** An attempt that was given up may come once more. */
  void name(int generation, Blueprint blueprint) {
    if (namedBy.putIfAbsent(generation, of(blueprint)) == null) {
      follow(doors.named(of(blueprint)), false);
    }
  }

  void forget(int generation) {
    var left = namedBy.remove(generation);
    if (left != null) {
      left.stream()
          .filter(door -> !isNamed(door))
          .forEach(door -> leftAt.putIfAbsent(door, time.now()));
      follow(decisions.leave(doors, left, time.now()), false);
    }
  }

  void admit(Blueprint blueprint) {
    var served = new TreeMap<Doorway, String>();
    of(blueprint).forEach(door -> served.put(door, GATEWAY));
    admitted = true;
    known.addAll(served.keySet());
    leftAt.keySet().removeAll(served.keySet());
    follow(doors.admitted(served, time.now()), false);
  }

  void hold() {
    admitted = false;
    doors = doors.held();
  }

  /** Somebody else wants to listen there. */
  void giveUp(Collection<Place> wanted) {
    follow(decisions.want(doors, wanted, time.now()), true);
    ReloadInvariant.WHO_WANTS_A_LEFT_DOOR_GETS_IT.require(
        open.stream()
            .noneMatch(door -> !isNamed(door) && wanted.stream().anyMatch(door.place()::meets)),
        () -> owner + " keeps " + open + ", wanted are " + wanted);
  }

  private void follow(Doors.Turn turn, boolean wanted) {
    doors = turn.doors();
    for (var door : turn.opening()) {
      ReloadInvariant.RELEASED_ONCE.require(open.add(door), () -> owner + " opens again " + door);
    }
    for (var door : turn.closing()) {
      ReloadInvariant.RELEASED_ONCE.require(
          open.remove(door), () -> owner + " closes " + door + ", which is not open");
      ReloadInvariant.KNOWN_DOORS_STAY_OPEN.require(
          wanted || mayClose(door), () -> owner + " closes " + door + ", left at " + leftAt);
      known.remove(door);
      leftAt.remove(door);
    }
    doors
        .next()
        .filter(time.now()::isBefore)
        .ifPresent(at -> time.at(at, () -> follow(decisions.tick(doors, time.now()), false)));
  }

  private boolean mayClose(Doorway door) {
    var left = leftAt.get(door);
    return namedBy.isEmpty()
        || !admitted
        || !known.contains(door)
        || (left != null && !time.now().isBefore(left.plus(Doors.LONGEST)));
  }

  private boolean isNamed(Doorway door) {
    return namedBy.values().stream().anyMatch(some -> some.contains(door));
  }

  // ---- what must hold ------------------------------------------------------------------------

  boolean areClosed() {
    return open.isEmpty();
  }

  /** After a long time without reloads. */
  void checkNoneLingers() {
    ReloadInvariant.NOTHING_LINGERS_FOR_EVER.require(
        open.stream().allMatch(this::isNamed), () -> owner + " listens at " + open + " still");
  }
}
