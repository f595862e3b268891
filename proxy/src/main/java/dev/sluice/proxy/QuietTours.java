package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Link;
import dev.sluice.lifecycle.quiet.Pacing;
import dev.sluice.lifecycle.quiet.Stagger;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.lifecycle.quiet.Tour;
import dev.sluice.lifecycle.quiet.TourEvent;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Marks connections in the order that {@link Stagger} decides: of one client node by node, of
 * different clients side by side. Belongs to the control thread.
 */
final class QuietTours {

  /**
   * For how long those are gathered that come one by one: what keeps one connection of a client
   * from being switched mostly keeps the others, too, and together they have an order.
   */
  private static final Duration GATHERING = Duration.ofMillis(100);

  private final EventExecutor control;
  private final Duration reconnectWait;
  private Terms terms;
  private long known;
  private final Map<Long, ClientConnection> connections = new HashMap<>();
  private final Map<ClientConnection, Link> links = new HashMap<>();
  private final Map<Link.ClientKey, Tour> tours = new HashMap<>();
  private final Map<Link.ClientKey, Future<?>> timers = new HashMap<>();
  private final Set<ClientConnection> gathered = new LinkedHashSet<>();
  private @Nullable Future<?> gathering;

  QuietTours(Terms terms, Duration reconnectWait, EventExecutor control) {
    this.terms = terms;
    this.reconnectWait = reconnectWait;
    this.control = control;
  }

  /** Begins with these. */
  void begin(Collection<ClientConnection> all) {
    List<Link> found = new ArrayList<>();
    for (var connection : all) {
      var link = take(connection);
      var tour = tours.get(link.client());
      if (tour == null) {
        found.add(link);
      } else {
        follow(Stagger.on(tour, new TourEvent.Joined(System.nanoTime(), link)));
      }
    }
    long chance = ThreadLocalRandom.current().nextLong();
    var pacing = new Pacing(Stagger.markBy(terms), reconnectWait.toNanos());
    Stagger.begin(System.nanoTime(), found, pacing, chance).forEach(this::follow);
  }

  private Link take(ClientConnection connection) {
    var link = connection.introduction().link(known++, connection.from());
    connections.put(link.connection(), connection);
    links.put(connection, link);
    return link;
  }

  /** This one, too; if it has a turn already that is its turn. */
  void join(ClientConnection connection) {
    if (links.containsKey(connection)) {
      return;
    }
    gathered.add(connection);
    if (gathering == null) {
      gathering =
          control.schedule(this::beginGathered, GATHERING.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void beginGathered() {
    gathering = null;
    var all = List.copyOf(gathered);
    gathered.clear();
    begin(all);
  }

  /** A connection is closed. */
  void closed(ClientConnection connection) {
    gathered.remove(connection);
    var link = links.remove(connection);
    if (link == null) {
      return;
    }
    connections.remove(link.connection());
    var tour = tours.get(link.client());
    if (tour != null && !tour.isDone()) {
      follow(
          Stagger.on(tour, new TourEvent.ConnectionClosed(System.nanoTime(), link.connection())));
    }
  }

  /** All has to be quiet sooner; what is marked already has to be told, too. */
  void tighten(Terms nearer) {
    terms = nearer;
    long at = System.nanoTime();
    for (var tour : List.copyOf(tours.values())) {
      if (!tour.isDone()) {
        follow(Stagger.on(tour, new TourEvent.MarkBySooner(at, Stagger.markBy(nearer))));
      }
    }
  }

  /** A client has come back and was answered: the next node's turn need not wait for it. */
  void returned(Link link) {
    var tour = tours.get(link.client());
    if (tour != null && !tour.isDone()) {
      follow(Stagger.on(tour, new TourEvent.ReturnAnswered(System.nanoTime(), link.node())));
    }
  }

  /** How often a client had not come back to a node before the next one. */
  int waitsRanOut() {
    return tours.values().stream().mapToInt(Tour::waitsRanOut).sum();
  }

  /** Nothing more is marked. */
  void end() {
    timers.values().forEach(timer -> timer.cancel(false));
    timers.clear();
    if (gathering != null) {
      gathering.cancel(false);
      gathering = null;
    }
  }

  private void follow(Stagger.Step step) {
    var client = step.tour().client();
    tours.put(client, step.tour());
    for (long id : step.marks()) {
      var connection = connections.get(id);
      if (connection != null) {
        connection.mark(terms);
      }
    }
    var before = timers.remove(client);
    if (before != null) {
      before.cancel(false);
    }
    step.ringAt()
        .ifPresent(
            at ->
                timers.put(
                    client,
                    control.schedule(
                        () -> rang(client),
                        Math.max(0, at - System.nanoTime()),
                        TimeUnit.NANOSECONDS)));
  }

  private void rang(Link.ClientKey client) {
    var tour = tours.get(client);
    if (tour != null && !tour.isDone()) {
      follow(Stagger.on(tour, new TourEvent.TimerRang(System.nanoTime())));
    }
  }
}
