package dev.sluice.lifecycle.quiet;

import dev.sluice.lifecycle.quiet.Tour.Standing;
import dev.sluice.lifecycle.quiet.Tour.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * In which order the connections of a virtual cluster are marked: those of one client node by node,
 * so that it has always somebody to talk to; different clients side by side, begun a little apart.
 * One client's tour knows nothing of another's.
 *
 * <p>It ends whatever clients do: each node gets an equal share of the time that is left, and
 * whatever is not marked by {@link Pacing#markBy} is marked then.
 */
public final class Stagger {

  /** How far apart clients begin, on average. */
  public static final Duration SPREAD_PER_CLIENT = Duration.ofMillis(1);

  /** Within what time all clients have begun, however many they are. */
  public static final Duration MAX_SPREAD = Duration.ofSeconds(1);

  /** How many pauses it takes to close a connection once it is marked. */
  private static final int PAUSES_TO_CLOSE = 4;

  private static final Standing DONE = new Standing.Done();

  private Stagger() {}

  /**
   * What comes of an event.
   *
   * @param marks the connections to mark now, in order
   * @param ringAt when to tell {@link TourEvent.TimerRang}; empty once all is marked
   */
  public record Step(Tour tour, List<Long> marks, OptionalLong ringAt) {
    public Step {
      marks = List.copyOf(marks);
    }
  }

  /** By when a connection has to be marked to be closed in silence before the grace is over. */
  public static long markBy(Terms terms) {
    return terms.grace() - PAUSES_TO_CLOSE * terms.pause();
  }

  /**
   * A tour for each client, in the order of clients; each waits for its beginning.
   *
   * @param chance decides how far apart clients begin
   */
  public static List<Step> begin(long at, Collection<Link> links, Pacing pacing, long chance) {
    SortedMap<Link.ClientKey, SortedMap<Integer, List<Long>>> clients = new TreeMap<>();
    for (var link : links) {
      clients
          .computeIfAbsent(link.client(), _ -> new TreeMap<>())
          .computeIfAbsent(link.node(), _ -> new ArrayList<>())
          .add(link.connection());
    }
    long spread = spread(clients.size(), Math.max(0, pacing.markBy() - at));
    var steps = new ArrayList<Step>();
    clients.forEach(
        (client, nodes) -> {
          var ahead = new ArrayList<Stop>();
          nodes.forEach((node, ids) -> ahead.add(new Stop(node, ids.stream().sorted().toList())));
          long beginAt = at + (long) (spread * fraction(chance, steps.size()));
          var tour = new Tour(client, ahead, new Standing.NotBegun(beginAt), pacing, 0);
          steps.add(on(tour, new TourEvent.TimerRang(at)));
        });
    return steps;
  }

  /** What follows from an event. Never throws. */
  public static Step on(Tour tour, TourEvent event) {
    return switch (event) {
      case TourEvent.TimerRang(long at) -> goOn(tour, at);
      case TourEvent.Joined(long at, Link link) -> goOn(with(tour, link, at), at);
      case TourEvent.ConnectionClosed(long at, long connection) ->
          goOn(without(tour, connection), at);
      case TourEvent.ReturnAnswered(long at, int node) -> goOn(returned(tour, node), at);
      case TourEvent.MarkBySooner(long at, long markBy) ->
          goOn(
              markBy - tour.markBy() < 0
                  ? new Tour(
                      tour.client(),
                      tour.ahead(),
                      tour.standing(),
                      tour.pacing().markBy(markBy),
                      tour.waitsRanOut())
                  : tour,
              at);
    };
  }

  private static Step goOn(Tour tour, long at) {
    boolean overdue = at - tour.markBy() >= 0;
    return switch (tour.standing()) {
      case Standing.Done _ -> new Step(tour, List.of(), OptionalLong.empty());
      case Standing.NotBegun(long beginAt) ->
          overdue || at - beginAt >= 0 ? next(tour, at, 0) : waitFor(tour, beginAt);
      case Standing.Closing(int node, var open, boolean returned, long until) -> {
        if (overdue || at - until >= 0) {
          yield next(tour, at, 1);
        }
        if (!open.isEmpty()) {
          yield waitFor(tour, until);
        }
        if (node == Link.BOOTSTRAP) {
          yield next(tour, at, 0);
        }
        if (returned) {
          var settling =
              new Standing.Settling(soonest(until, at + Bounds.RETURN_SETTLES.toNanos()));
          yield waitFor(with(tour, settling), settling.until());
        }
        long wait = at + tour.pacing().reconnectWait();
        var awaiting = new Standing.AwaitingReturn(node, soonest(until, wait));
        yield waitFor(with(tour, awaiting), awaiting.until());
      }
      case Standing.AwaitingReturn(_, long until) ->
          overdue || at - until >= 0 ? next(tour, at, 1) : waitFor(tour, until);
      case Standing.Settling(long until) ->
          overdue || at - until >= 0 ? next(tour, at, 0) : waitFor(tour, until);
    };
  }

  private static long soonest(long one, long other) {
    return one - other < 0 ? one : other;
  }

  private static Step waitFor(Tour tour, long until) {
    boolean first = tour.markBy() - until < 0;
    return new Step(tour, List.of(), OptionalLong.of(first ? tour.markBy() : until));
  }

  /** Marks the next node's connections; all that is left once there is no time for more. */
  private static Step next(Tour tour, long at, int ranOut) {
    var ahead = tour.ahead();
    int waits = ahead.isEmpty() ? tour.waitsRanOut() : tour.waitsRanOut() + ranOut;
    long left = tour.markBy() - at;
    if (ahead.size() <= 1 || left <= 0) {
      var marks = ahead.stream().flatMap(stop -> stop.connections().stream()).toList();
      return new Step(
          new Tour(tour.client(), List.of(), DONE, tour.pacing(), waits),
          marks,
          OptionalLong.empty());
    }
    var stop = ahead.getFirst();
    long until = at + left / ahead.size();
    var closing =
        new Standing.Closing(stop.node(), new TreeSet<>(stop.connections()), false, until);
    return new Step(
        new Tour(tour.client(), ahead.subList(1, ahead.size()), closing, tour.pacing(), waits),
        stop.connections(),
        OptionalLong.of(until));
  }

  /**
   * Its node's turn comes in the order of nodes. Where all were marked, the client gets the time to
   * come back to the last of them.
   */
  private static Tour with(Tour tour, Link link, long at) {
    SortedMap<Integer, List<Long>> ahead = new TreeMap<>();
    tour.ahead().forEach(stop -> ahead.put(stop.node(), new ArrayList<>(stop.connections())));
    ahead.computeIfAbsent(link.node(), _ -> new ArrayList<>()).add(link.connection());
    var stops = new ArrayList<Stop>();
    ahead.forEach((node, ids) -> stops.add(new Stop(node, ids)));
    var standing =
        tour.isDone() ? new Standing.NotBegun(at + tour.pacing().reconnectWait()) : tour.standing();
    return new Tour(tour.client(), stops, standing, tour.pacing(), tour.waitsRanOut());
  }

  private static Tour without(Tour tour, long connection) {
    var ahead = new ArrayList<Stop>();
    for (var stop : tour.ahead()) {
      var left = stop.connections().stream().filter(each -> each != connection).toList();
      if (!left.isEmpty()) {
        ahead.add(new Stop(stop.node(), left));
      }
    }
    var standing = tour.standing();
    if (standing instanceof Standing.Closing(int node, var open, boolean returned, long until)) {
      var rest = new TreeSet<>(open);
      rest.remove(connection);
      standing = new Standing.Closing(node, rest, returned, until);
    }
    return new Tour(tour.client(), ahead, standing, tour.pacing(), tour.waitsRanOut());
  }

  private static Tour returned(Tour tour, int where) {
    return switch (tour.standing()) {
      case Standing.Closing(int node, var open, _, long until) when node == where ->
          with(tour, new Standing.Closing(node, open, true, until));
      case Standing.AwaitingReturn(int node, _) when node == where ->
          with(tour, new Standing.Closing(node, new TreeSet<>(), true, tour.markBy()));
      case Standing.Closing _,
          Standing.AwaitingReturn _,
          Standing.Settling _,
          Standing.NotBegun _,
          Standing.Done _ ->
          tour;
    };
  }

  private static Tour with(Tour tour, Standing standing) {
    return new Tour(tour.client(), tour.ahead(), standing, tour.pacing(), tour.waitsRanOut());
  }

  /** Never more than a tenth of the time. */
  private static long spread(int clients, long time) {
    long wanted = (clients - 1L) * SPREAD_PER_CLIENT.toNanos();
    return Math.min(Math.min(wanted, MAX_SPREAD.toNanos()), time / 10);
  }

  /** From 0 to below 1, evenly: the finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
  private static double fraction(long chance, int client) {
    long mixed = chance + (client + 1L) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
