package dev.sluice.lifecycle.doors;

import dev.sluice.lifecycle.reload.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * The open doors of one virtual cluster. A door is open while a generation names it. When none does
 * any more it lingers, for clients that have heard of it and not yet of another, where
 *
 * <ul>
 *   <li>somebody was admitted there, so that clients know it;
 *   <li>its gateway is still there, and reached at that address: who takes away a gateway, or the
 *       address of one, wants nobody to come that way any more;
 *   <li>its port is not listened on in another way.
 * </ul>
 *
 * <p>It is closed after {@link #LONGEST}, or as soon as somebody else wants its place, or nobody
 * names any door of the cluster.
 *
 * @param standing of each open door
 * @param served the gateway to which each door belongs that is named by who is admitted; empty:
 *     nobody is
 */
public record Doors(SortedMap<Doorway, Standing> standing, SortedMap<Doorway, String> served) {

  /**
   * For how long a door lingers: after that every client has asked for metadata again (the default
   * of {@code metadata.max.age.ms}, and of {@code topic.metadata.refresh.interval.ms}).
   */
  public static final Duration LONGEST = Duration.ofMinutes(5);

  /** How many doors linger; when there are more the oldest are closed. */
  public static final int MOST_LINGERING = 1_000;

  /** None is open. */
  public static final Doors NONE = new Doors(new TreeMap<>(), new TreeMap<>());

  public Doors {
    standing = Collections.unmodifiableSortedMap(new TreeMap<>(standing));
    served = Collections.unmodifiableSortedMap(new TreeMap<>(served));
  }

  /**
   * What follows.
   *
   * @param opening doors to be opened
   * @param leaving doors that linger from now on
   * @param closing doors to be closed; they are forgotten
   */
  public record Turn(
      Doors doors,
      SortedSet<Doorway> opening,
      SortedSet<Doorway> leaving,
      SortedSet<Doorway> closing) {}

  // ---- what happens --------------------------------------------------------------------------

  /** A generation names these, each once. */
  public Turn named(Collection<Doorway> wanted) {
    var next = new TreeMap<>(standing);
    var opening = new TreeSet<Doorway>();
    for (var door : wanted) {
      if (!next.containsKey(door)) {
        opening.add(door);
      }
      next.put(door, next.getOrDefault(door, Standing.NEW).named());
    }
    return new Turn(new Doors(next, served), opening, new TreeSet<>(), new TreeSet<>());
  }

  /** A generation names these no more. Those that were closed over its head are passed over. */
  public Turn unnamed(Collection<Doorway> left, Instant now) {
    var next = new TreeMap<>(standing);
    left.forEach(door -> next.computeIfPresent(door, (_, before) -> before.unnamed()));
    return settled(next, served, now);
  }

  /**
   * A generation is admitted: whatever door clients arrive at, it serves them.
   *
   * @param named the doors that it names, with their gateways
   */
  public Turn admitted(SortedMap<Doorway, String> named, Instant now) {
    var next = new TreeMap<>(standing);
    named.forEach(
        (door, gateway) -> next.computeIfPresent(door, (_, before) -> before.admittedAs(gateway)));
    return settled(next, named, now);
  }

  /** Nobody is admitted: who arrives waits. What lingers stays, and nothing begins to. */
  public Doors held() {
    return new Doors(standing, new TreeMap<>());
  }

  /** These could not be opened: nobody listens there, whoever names them. */
  public Turn failed(Collection<Doorway> refused) {
    var next = new TreeMap<>(standing);
    refused.forEach(next::remove);
    return turn(next, served);
  }

  /** Somebody else wants to listen at these places, and gets those that are only lingered at. */
  public Turn wanted(Collection<Place> places, Instant now) {
    return givenUp(places, Place::meets, now);
  }

  /**
   * A generation of its own wants to: what is lingered at gives way where one of the two shares its
   * port by names and the other does not. Otherwise both can be listened on, or are the same.
   */
  public Turn wantedByItself(Collection<Place> places, Instant now) {
    return givenUp(places, (one, other) -> one.shared() != other.shared() && one.meets(other), now);
  }

  private Turn givenUp(Collection<Place> places, BiPredicate<Place, Place> inTheWay, Instant now) {
    var byPort = places.stream().collect(Collectors.groupingBy(Place::port));
    var next = new TreeMap<>(standing);
    next.entrySet()
        .removeIf(
            door -> {
              var place = door.getKey().place();
              return !door.getValue().isNamed()
                  && byPort.getOrDefault(place.port(), Collections.emptyList()).stream()
                      .anyMatch(wanted -> inTheWay.test(place, wanted));
            });
    return settled(next, served, now);
  }

  /** Time has passed: see {@link #next}. */
  public Turn at(Instant now) {
    return settled(new TreeMap<>(standing), served, now);
  }

  /** All of them are closed, whoever names them. */
  public Turn shut() {
    return turn(new TreeMap<>(), new TreeMap<>());
  }

  // ---- what can be seen ----------------------------------------------------------------------

  /** When the next of those that linger is to be closed. */
  public Optional<Instant> next() {
    return lingering().values().stream().min(Comparator.naturalOrder());
  }

  /** Whether a door is one of those. */
  public boolean lingers(Doorway door) {
    var one = standing.get(door);
    return one != null && one.lingers();
  }

  /** The doors that linger, and until when. */
  public SortedMap<Doorway, Instant> lingering() {
    var lingering = new TreeMap<Doorway, Instant>();
    standing.forEach(
        (door, one) -> {
          if (one.lingers()) {
            one.until().ifPresent(until -> lingering.put(door, until));
          }
        });
    return lingering;
  }

  // ---- what stays ----------------------------------------------------------------------------

  private Turn settled(
      SortedMap<Doorway, Standing> next, SortedMap<Doorway, String> admitted, Instant now) {
    var left = new TreeMap<>(next);
    left.values().removeIf(Standing::isNamed);
    if (left.size() == next.size()) {
      return turn(new TreeMap<>(), new TreeMap<>());
    }
    var reach = new Reach(admitted);
    var ends = new TreeMap<Doorway, Instant>();
    left.forEach(
        (door, one) ->
            reach.end(door, one, now).filter(now::isBefore).ifPresent(end -> ends.put(door, end)));
    dropTheOldest(ends);
    var covering = new HashSet<Integer>();
    next.forEach(
        (door, one) -> {
          if (door.isWide() && (one.isNamed() || ends.containsKey(door))) {
            covering.add(door.place().port());
          }
        });
    for (var door : left.keySet()) {
      var end = Optional.ofNullable(ends.get(door));
      // The kernel has queued clients at a narrower one, and would reset them.
      if (end.isPresent() || covering.contains(door.place().port())) {
        next.computeIfPresent(door, (_, one) -> one.until(end));
      } else {
        next.remove(door);
      }
    }
    return turn(next, admitted);
  }

  private static void dropTheOldest(NavigableMap<Doorway, Instant> ends) {
    ends.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .limit(Math.max(0, ends.size() - MOST_LINGERING))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(ends::remove);
  }

  private Turn turn(SortedMap<Doorway, Standing> next, SortedMap<Doorway, String> admitted) {
    var doors = new Doors(next, admitted);
    var leaving = new TreeSet<>(doors.lingering().keySet());
    leaving.removeAll(lingering().keySet());
    var closing = new TreeSet<>(standing.keySet());
    closing.removeAll(next.keySet());
    return new Turn(doors, new TreeSet<>(), leaving, closing);
  }
}
