package dev.sluice.proxy;

import dev.sluice.lifecycle.doors.Doors;
import dev.sluice.lifecycle.doors.Doorway;
import dev.sluice.lifecycle.reload.Place;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets that a virtual cluster listens on, whichever of its generations is behind them: one
 * for each address and port that some generation names, and those that linger: {@link Doors}
 * decides which are open. What two generations name is bound once, and stays bound while one hands
 * over to the other.
 *
 * <p>Bound, a socket accepts nobody until {@link #admit}: who arrives before waits in the kernel's
 * backlog. The exception is one that is bound beside another that listens at all addresses: the
 * kernel gives it those who would have come to that, so it lets them in at once. Belongs to the
 * control thread, but what is said to be safe from elsewhere.
 */
final class ListeningSockets {

  private static final Logger LOG = LoggerFactory.getLogger(ListeningSockets.class);

  private final String virtualCluster;
  private final Engine engine;
  private final Alarms alarms;
  private final NavigableMap<Doorway, Door> open = new TreeMap<>();
  private volatile Doors doors = Doors.NONE;

  /** Who serves whoever arrives; null: nobody. */
  private @Nullable Generation admitted;

  /** Succeeds when every socket that was given up so far is closed. */
  private Future<?> closed;

  ListeningSockets(String virtualCluster, Engine engine) {
    this.virtualCluster = virtualCluster;
    this.engine = engine;
    this.alarms = new Alarms(engine);
    this.closed = engine.control().newSucceededFuture(null);
  }

  /**
   * Ports that are open only for clients that do not know yet where else to go, and until when.
   * Safe from every thread.
   */
  SortedMap<Integer, Instant> lingeringPorts() {
    var ports = new TreeMap<Integer, Instant>();
    doors.lingering().forEach((doorway, until) -> ports.put(doorway.place().port(), until));
    return ports;
  }

  // ---- what is listened on -------------------------------------------------------------------

  /**
   * Names entrances: listens where nobody does yet. Who only lingers there leaves.
   *
   * @return the doors that are named, for {@link #forget}; fails with {@link RefusedPorts}, and
   *     then nothing is named that was not before
   */
  Future<Set<Doorway>> name(Collection<Entrance> entrances) {
    Promise<Set<Doorway>> named = engine.control().newPromise();
    var places = entrances.stream().map(entrance -> entrance.doorway().place()).toList();
    follow(doors.wantedByItself(places, engine.clock().instant()));
    // A port that is being closed is still busy.
    engine
        .lingerers()
        .giveUp(places, this)
        .addListener(_ -> whenClosed(() -> nameNow(entrances, named)));
    return named;
  }

  private void whenClosed(Runnable then) {
    if (closed.isDone()) {
      then.run();
    } else {
      closed.addListener(_ -> whenClosed(then));
    }
  }

  private void nameNow(Collection<Entrance> entrances, Promise<Set<Doorway>> named) {
    var wanted = new LinkedHashMap<Doorway, Entrance>();
    entrances.forEach(entrance -> wanted.put(entrance.doorway(), entrance));
    var turn = doors.named(wanted.keySet());
    turn.opening()
        .forEach(doorway -> open.put(doorway, bind(Objects.requireNonNull(wanted.get(doorway)))));
    follow(turn);
    var attempted = new LinkedHashMap<Doorway, Door>();
    wanted.keySet().forEach(doorway -> attempted.put(doorway, door(doorway)));
    List<RefusedPorts.Refused> refused = new ArrayList<>();
    var attempts = new PromiseCombiner(engine.control());
    wanted.forEach(
        (doorway, entrance) -> {
          Promise<Void> attempt = engine.control().newPromise();
          attempts.add((Future<?>) attempt);
          door(doorway)
              .bound()
              .addListener(
                  bound -> {
                    if (!bound.isSuccess()) {
                      refused.add(RefusedPorts.Refused.at(entrance, bound.cause()));
                    }
                    attempt.setSuccess(null);
                  });
        });
    all(attempts)
        .addListener(
            _ -> {
              if (refused.isEmpty()) {
                named.setSuccess(wanted.keySet());
              } else {
                abandon(attempted).addListener(_ -> named.setFailure(new RefusedPorts(refused)));
              }
            });
  }

  /**
   * A set-up gives up what it named. What could not be opened is gone for all who named it; the
   * next one tries again. It may be another door by now, which is none of its business.
   */
  private Future<?> abandon(Map<Doorway, Door> attempted) {
    var own = new LinkedHashMap<>(attempted);
    own.entrySet().removeIf(each -> !each.getValue().equals(open.get(each.getKey())));
    follow(
        doors.failed(
            own.entrySet().stream()
                .filter(each -> !each.getValue().bound().isSuccess())
                .map(Map.Entry::getKey)
                .toList()));
    return forget(own.keySet());
  }

  /** Doors that were named are so once less. */
  Future<?> forget(Collection<Doorway> named) {
    follow(doors.unnamed(named, engine.clock().instant()));
    return closed;
  }

  /** Somebody else wants these places: succeeds when nobody lingers there any more. */
  Future<?> giveUp(Collection<Place> wanted) {
    follow(doors.wanted(wanted, engine.clock().instant()));
    return closed;
  }

  private void follow(Doors.Turn turn) {
    var lingered = doors.lingering().keySet();
    doors = turn.doors();
    if (!turn.closing().isEmpty()) {
      var closing = new PromiseCombiner(engine.control());
      closing.add((Future<?>) closed);
      turn.closing().forEach(doorway -> closing.add((Future<?>) close(doorway)));
      closed = all(closing);
    }
    open.forEach((doorway, door) -> door.lingers(doors.lingers(doorway)));
    tell("Still listens, for clients that know no other address yet", turn.leaving());
    tell(
        "Listens no more, even for clients that know no other address",
        turn.closing().stream().filter(lingered::contains).toList());
    var lingers = doors.next();
    engine.lingerers().note(this, lingers.isPresent());
    lingers.ifPresentOrElse(
        at -> alarms.set(Alarms.Kind.LINGERING, at, () -> follow(doors.at(at))),
        () -> alarms.cancel(Alarms.Kind.LINGERING));
  }

  private void tell(String what, Collection<Doorway> where) {
    if (!where.isEmpty()) {
      LOG.atInfo()
          .addKeyValue("virtualCluster", virtualCluster)
          .addKeyValue(
              "ports",
              Listed.of(where.stream().map(each -> each.place().port()).distinct().toList()))
          .log(what);
    }
  }

  private Door door(Doorway doorway) {
    return Objects.requireNonNull(open.get(doorway), doorway::toString);
  }

  private Future<?> close(Doorway doorway) {
    var door = door(doorway);
    open.remove(doorway);
    engine.portHolders().listensNoMore(door.standsFor().at(), virtualCluster);
    return door.close();
  }

  private Future<Void> all(PromiseCombiner some) {
    Promise<Void> all = engine.control().newPromise();
    some.finish(all);
    return all;
  }

  /** Succeeds when every socket that was given up so far is closed. */
  Future<?> closed() {
    return closed;
  }

  /** A port that is listened on at another address already is shared just while that is done. */
  private Door bind(Entrance entrance) {
    var door = new Door(entrance, engine.control());
    if (entrance.names().isPresent()) {
      take(entrance, door);
      return door;
    }
    var beside = atPortOf(entrance).stream().filter(one -> one.meets(entrance.at())).toList();
    var reusePort = engine.transport().reusePort();
    beside.forEach(one -> one.shares(reusePort));
    var bootstrap =
        Sockets.bootstrap(
            engine, _ -> door.accepted(), client -> door.arrived(Arrival.unread(client)));
    if (!beside.isEmpty()) {
      bootstrap.option(reusePort, true);
    }
    bootstrap
        .bind(entrance.at())
        .addListener(
            (ChannelFuture bound) ->
                engine
                    .control()
                    .execute(
                        () -> {
                          beside.forEach(one -> one.sharesNoMore(reusePort));
                          bound(door, bound, beside);
                        }));
    return door;
  }

  private Collection<Door> atPortOf(Entrance entrance) {
    int port = entrance.at().getPort();
    return open.subMap(
            new Doorway(new Place("", port)), true, new Doorway(new Place("", port + 1)), false)
        .values();
  }

  /** Takes a place at a port that others may have places at, too. */
  private void take(Entrance entrance, Door door) {
    engine
        .sharedPorts()
        .open(entrance, door, engine)
        .addListener(
            (Future<Listening> taken) -> {
              if (taken.isSuccess()) {
                engine.portHolders().listens(entrance.at(), virtualCluster);
                door.listensOn(taken.getNow());
              } else {
                door.cannotListen(taken.cause());
              }
            });
  }

  private void bound(Door door, ChannelFuture bound, List<Door> beside) {
    var at = door.standsFor().at();
    if (!bound.isSuccess()) {
      door.cannotListen(bound.cause());
      return;
    }
    if (!beside.isEmpty()) {
      bound.channel().config().setOption(engine.transport().reusePort(), false);
    }
    engine.portHolders().listens(at, virtualCluster);
    // Whoever waits for it goes on within: it may be given up again right away.
    door.listensOn(Listening.alone(bound.channel()));
    var now = admitted;
    if (now != null
        && door.equals(open.get(door.standsFor().doorway()))
        && beside.stream().anyMatch(one -> one.givesWayTo(at))) {
      open(door, now);
    }
  }

  // ---- who is behind -------------------------------------------------------------------------

  /** From now on this generation serves who arrives, at whatever socket, and who has waited. */
  void admit(Generation generation) {
    admitted = generation;
    open.values().forEach(door -> open(door, generation));
    follow(doors.admitted(generation.gatewayNames(), engine.clock().instant()));
  }

  private static void open(Door door, Generation generation) {
    var entrance = generation.entrance(door.standsFor());
    door.open(entrance, client -> generation.connections().arrived(client, entrance));
  }

  /** From now on who arrives waits. */
  void hold() {
    admitted = null;
    doors = doors.held();
    open.values().forEach(Door::hold);
  }

  /** Who waits is told the end. */
  void letGo() {
    open.values().forEach(Door::letGo);
  }

  /** Listens on nothing any more, though generations name it: clients are to look elsewhere. */
  void shut() {
    admitted = null;
    follow(doors.shut());
  }
}
