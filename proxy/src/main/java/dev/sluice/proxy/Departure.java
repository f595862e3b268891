package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.lifecycle.quiet.Terms;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one generation, or of two, leave: for a drain, or because another generation
 * has taken over. Knows who is left and what it came to. Belongs to the control thread, but what is
 * said to be safe from elsewhere.
 */
final class Departure implements Connections.Leaving, Connections.Returns {

  private final Leave leave;
  private final Instant since;
  private final EventExecutor control;
  private final int connectionsAtFirst;
  private final Runnable whenQuiet;
  private final DrainSpec drain;
  private final QuietTours tours;
  private final Stragglers stragglers;

  private boolean over;
  private volatile Terms terms;
  private volatile Instant deadline;
  private volatile QuietReport counted = QuietReport.NONE;

  /**
   * Begins: from now on connections leave.
   *
   * @param times when it has begun, and by when all have left or are cut
   * @param ears whom to tell
   */
  Departure(Leave leave, Times times, EventExecutor control, Ears ears) {
    this.leave = leave;
    this.since = times.since();
    this.deadline = times.deadline();
    this.control = control;
    this.whenQuiet = ears.whenQuiet();
    this.drain = leave.left().getLast().spec().drain();
    this.terms = terms(times.budget());
    this.tours = new QuietTours(terms, drain.reconnectWait(), control);
    this.stragglers = new Stragglers(this::left, control, ears.whenSlow());
    leave.left().forEach(generation -> generation.connections().leftBy(this));
    var connections = new ArrayList<ClientConnection>();
    leave.left().forEach(generation -> generation.connections().stream().forEach(connections::add));
    this.connectionsAtFirst = connections.size();
    var next = leave.staysWith();
    if (next == null) {
      begin(connections);
    } else {
      connections.forEach(connection -> connection.switchTo(next, terms));
    }
    // Not at once: whoever begins this has more to do first.
    control.execute(this::tellIfQuiet);
  }

  private void begin(List<ClientConnection> connections) {
    switch (drain.manner()) {
      case QUIET -> tours.begin(connections);
      case UNREAD -> connections.forEach(each -> each.mark(terms));
      case AT_ONCE -> connections.forEach(ClientConnection::force);
    }
  }

  /**
   * Who leaves, and how.
   *
   * @param left the generations that are left, oldest first
   * @param staysWith whose the connections are afterwards; null where all have to close
   */
  record Leave(Way way, List<Generation> left, @Nullable Generation staysWith) {
    Leave {
      left = List.copyOf(left);
    }
  }

  /**
   * Who hears of it, on the control thread.
   *
   * @param whenQuiet no connection is left; perhaps more than once
   * @param whenSlow it takes long, and these are some of those that are left; at most once
   */
  record Ears(Runnable whenQuiet, Consumer<List<Straggler>> whenSlow) {}

  /** When a departure began and has to have ended. */
  record Times(Instant since, Instant deadline) {

    Duration budget() {
      var budget = Duration.between(since, deadline);
      return budget.isNegative() ? Duration.ZERO : budget;
    }
  }

  private Terms terms(Duration budget) {
    return Terms.of(Terms.Way.PAUSE_AND_CLOSE, drain.pause(), System.nanoTime(), budget);
  }

  /** It has to have ended sooner. */
  void tighten(Times nearer) {
    deadline = nearer.deadline();
    terms = terms(nearer.budget());
    tours.tighten(terms);
    leave.left().forEach(one -> one.connections().stream().forEach(each -> each.tighten(terms)));
  }

  /** It is over; what is still counted belongs to its report. */
  void end() {
    over = true;
    tours.end();
    stragglers.end();
  }

  private void join(ClientConnection connection) {
    if (!over) {
      tours.join(connection);
    }
  }

  // ---- what happens to connections, on their event loops -------------------------------------

  @Override
  public void turnedAway() {
    control.execute(this::tellIfQuiet);
  }

  @Override
  public void cameLate(ClientConnection connection) {
    var next = leave.staysWith();
    if (next != null) {
      connection.switchTo(next, terms);
    } else if (drain.manner() == DrainManner.QUIET) {
      control.execute(() -> join(connection));
    } else {
      connection.mark(terms);
    }
  }

  @Override
  public void cannotStay(ClientConnection connection) {
    control.execute(() -> join(connection));
  }

  @Override
  public void wentQuiet(QuietReport report) {
    control.execute(() -> counted = counted.plus(report));
  }

  @Override
  public void left(ClientConnection connection) {
    control.execute(
        () -> {
          tours.closed(connection);
          tellIfQuiet();
        });
  }

  @Override
  public void answered(ClientConnection connection) {
    var link = connection.introduction().link(0, connection.from());
    control.execute(() -> tours.returned(link));
  }

  private void tellIfQuiet() {
    if (!over && leave.left().stream().allMatch(one -> one.connections().isEmpty())) {
      whenQuiet.run();
    }
  }

  private Stream<ClientConnection> left() {
    return leave.left().stream().flatMap(generation -> generation.connections().stream());
  }

  int connectionsLeft() {
    return leave.left().stream().mapToInt(generation -> generation.connections().size()).sum();
  }

  // ---- what can be seen ----------------------------------------------------------------------

  /** How far it has come. Safe from every thread. */
  DrainProgress progress() {
    return new DrainProgress(
        leave.way(),
        since,
        deadline,
        connectionsAtFirst,
        connectionsLeft(),
        stragglers.named(),
        counted);
  }

  /** What it came to. */
  DrainReport report(Instant now) {
    return new DrainReport(
        leave.way(),
        leave.left().getLast().number(),
        since,
        Duration.between(since, now),
        connectionsAtFirst,
        counted.withReconnectWaitsRanOut(tours.waitsRanOut()));
  }
}
