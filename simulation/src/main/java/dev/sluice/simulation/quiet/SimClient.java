package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import dev.sluice.simulation.quiet.Habits.Ask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;

/** A client: asks, pauses if it is one that does, and has a view of its own. */
final class SimClient {

  private static final Ask HANDSHAKE =
      Ask.of("api versions", Kind.HANDSHAKE, 0, WhenLate.FORWARDED);

  private static final int NONE = -1;
  private static final int MAX_WANTED = 20;

  private final QuietWorld world;
  private final Habits habits;
  private final Chance chance;
  private final VirtualTime time;
  private final Deque<Integer> outstanding = new ArrayDeque<>();
  private final Queue<Ask> wanted = new ArrayDeque<>();
  private Instant arrivesNext = Instant.MIN;
  private Instant pausesUntil = Instant.MIN;
  private int poll = NONE;
  private boolean ended;
  private boolean idle;
  private boolean endedInPause;
  private int cancelled;
  private int asked;

  SimClient(QuietWorld world) {
    this.world = world;
    habits = world.habits();
    chance = world.chance();
    time = world.time();
  }

  void start() {
    send(HANDSHAKE);
    want();
  }

  void becomeIdle() {
    idle = true;
    wanted.clear();
  }

  /** The client stops by itself; a client that only stops sending still reads. */
  void leave() {
    if (!ended) {
      idle = true;
      wanted.clear();
      arrive(new Arriving.End());
    }
  }

  int cancelled() {
    return cancelled;
  }

  boolean endedInPause() {
    return endedInPause;
  }

  boolean isWaiting() {
    return !outstanding.isEmpty();
  }

  private void want() {
    if (ended || idle) {
      return;
    }
    var next = chance.oneOf(habits.asks());
    boolean polls = poll != NONE || wanted.contains(next);
    if (wanted.size() < MAX_WANTED && (next.kind() != Kind.POLL || !polls)) {
      wanted.add(next);
    }
    sendWanted();
    time.after(habits.interval(), this::want);
  }

  private void sendWanted() {
    if (ended) {
      return;
    }
    if (habits.pauses() && time.now().isBefore(pausesUntil)) {
      return;
    }
    while (!wanted.isEmpty() && outstanding.size() < habits.pipeline() && isGreeted()) {
      send(wanted.remove());
    }
  }

  private boolean isGreeted() {
    return !outstanding.contains(0);
  }

  private void send(Ask ask) {
    int id = asked++;
    if (!ask.oneWay()) {
      outstanding.add(id);
      poll = ask.kind() == Kind.POLL ? id : poll;
    }
    arrive(new Arriving.Head(id, ask));
    if (chance.onceIn(3)) {
      arrivesNext = later(arrivesNext, time.now()).plusNanos(chance.between(1, 3_000_000));
    }
    arrive(new Arriving.Rest(id));
  }

  private void arrive(Arriving bytes) {
    arrivesNext =
        later(arrivesNext, time.now().plus(habits.latency()).plusNanos(chance.between(0, 900_000)));
    time.at(arrivesNext, () -> world.connection().arrive(bytes));
  }

  /** A response has been read. */
  void receive(int id, Duration throttle) {
    var expected = outstanding.peek();
    QuietInvariant.ANSWERS_KEEP_ORDER.require(
        expected != null && expected == id,
        () -> "answer to " + id + " while " + expected + " is next");
    outstanding.remove();
    if (id == poll) {
      poll = NONE;
    }
    var until = time.now().plus(throttle);
    if (habits.pauses() && until.isAfter(pausesUntil)) {
      pausesUntil = until;
      time.at(until, this::sendWanted);
    }
    time.after(Duration.ZERO, this::sendWanted);
  }

  /** The end has been read. */
  void receiveEnd() {
    if (ended) {
      return;
    }
    ended = true;
    cancelled = outstanding.size();
    endedInPause = time.now().isBefore(pausesUntil);
    if (!habits.halfOpen()) {
      time.after(chance.millis(0, 3), () -> arrive(new Arriving.End()));
    }
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** What arrives at the proxy. */
  sealed interface Arriving {
    /** The first bytes of a request, enough to know what it is. */
    record Head(int id, Ask ask) implements Arriving {}

    /** Its last byte. */
    record Rest(int id) implements Arriving {}

    record End() implements Arriving {}
  }
}
