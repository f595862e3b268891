package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Pending;
import dev.sluice.lifecycle.quiet.Pending.Stage;
import dev.sluice.lifecycle.quiet.Phase;
import dev.sluice.lifecycle.quiet.Quiescing;
import dev.sluice.lifecycle.quiet.QuietAction;
import dev.sluice.lifecycle.quiet.QuietEvent;
import dev.sluice.lifecycle.quiet.QuietState;
import dev.sluice.lifecycle.quiet.QuietStep;
import dev.sluice.lifecycle.quiet.Request;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import dev.sluice.simulation.quiet.Habits.Ask;
import dev.sluice.simulation.quiet.SimClient.Arriving;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** The shell of one connection: tells what happens and obeys, as the proxy does. */
final class SimConnection {

  /** A request that was read, and what became of it. */
  static final class Entry {
    private final int id;
    private final Ask ask;
    private final long number;
    private final Instant readAt;
    boolean forwarded;
    boolean held;
    boolean ownAnswer;
    boolean answering;
    boolean answered;
    boolean written;
    Duration throttle = Duration.ZERO;

    Entry(int id, Ask ask, long number, Instant readAt) {
      this.id = id;
      this.ask = ask;
      this.number = number;
      this.readAt = readAt;
    }

    int id() {
      return id;
    }

    Ask ask() {
      return ask;
    }

    Instant readAt() {
      return readAt;
    }

    boolean isInFlight() {
      return !written && (forwarded || held);
    }
  }

  private final QuietWorld world;
  private final VirtualTime time;
  private final Chance chance;
  private final Watch watch;
  private final List<Entry> entries = new ArrayList<>();
  private final Deque<Arriving> socket = new ArrayDeque<>();
  private final Queue<QuietEvent> told = new ArrayDeque<>();
  private QuietState state = Quiescing.OPEN;
  private Optional<Entry> current = Optional.empty();
  private boolean beingRead;
  private Instant writesNext = Instant.MIN;
  private Instant readsNext = Instant.MIN;
  private Instant movedAt = Instant.MIN;
  private boolean telling;
  private boolean reading = true;
  private boolean withinFrame;
  private boolean forwardsOneWay;
  private boolean endSent;
  private boolean parkedAsking;
  private boolean closed;
  private boolean greeted;
  private boolean sharing;
  private int oneWays;
  private int timer;

  SimConnection(QuietWorld world) {
    this.world = world;
    time = world.time();
    chance = world.chance();
    watch = world.watch();
  }

  QuietState state() {
    return state;
  }

  List<Entry> entries() {
    return entries;
  }

  boolean isClosed() {
    return closed;
  }

  boolean endSent() {
    return endSent;
  }

  int oneWaysInFlight() {
    return oneWays;
  }

  /** Whether a request was told, and left unread at the end. */
  boolean hasParked() {
    return parkedAsking;
  }

  boolean isSharing() {
    return sharing;
  }

  long now() {
    return nanos(time.now());
  }

  private static long nanos(Instant at) {
    return at.getEpochSecond() * 1_000_000_000L + at.getNano();
  }

  // ---- telling -------------------------------------------------------------------------------

  void mark(Terms terms) {
    if (closed) {
      return;
    }
    var inFlight = new ArrayList<Pending>();
    for (var entry : entries) {
      if (entry.isInFlight()) {
        var stage =
            entry.answered ? Stage.ANSWERED : entry.answering ? Stage.ANSWERING : Stage.FORWARDED;
        inFlight.add(Pending.of(request(entry), stage, nanos(entry.readAt)));
      }
    }
    tell(
        new QuietEvent.Marked(
            now(),
            terms,
            world.habits().client(sharing),
            inFlight,
            oneWays,
            nanos(movedAt),
            !withinFrame,
            greeted));
  }

  void tighten(Terms terms) {
    tell(new QuietEvent.TermsTightened(now(), terms));
  }

  void upstreamEnds() {
    if (!closed && state.phase() != Phase.STILL) {
      world.broker().end();
      tell(new QuietEvent.UpstreamEnded(now()));
      if (state.phase() == Phase.OPEN || state.phase() == Phase.SWITCHED) {
        close();
      }
    }
  }

  private Request request(Entry entry) {
    return new Request(
        entry.number,
        entry.ask.api(),
        entry.ask.kind(),
        entry.ask.maxWait().toNanos(),
        entry.ask.whenLate(),
        SimBroker.carries(entry.ask.kind(), world.habits()));
  }

  private Optional<QuietAction> tell(QuietEvent happened) {
    told.add(happened);
    if (telling) {
      return Optional.empty();
    }
    telling = true;
    Optional<QuietAction> routed = Optional.empty();
    boolean isFirst = true;
    for (var next = told.poll(); next != null; next = told.poll()) {
      var before = state;
      var step = world.decisions().on(before, next);
      var event = next;
      world.note(() -> event + " -> " + step.state().phase() + step.actions());
      state = step.state();
      watch.saw(before, step);
      if (isFirst) {
        routed = step.actions().stream().findFirst();
        isFirst = false;
      }
      obey(step);
      watch.check();
    }
    telling = false;
    return routed;
  }

  // ---- obeying -------------------------------------------------------------------------------

  private void obey(QuietStep step) {
    for (var action : step.actions()) {
      if (closed) {
        return;
      }
      obey(action);
    }
  }

  private void obey(QuietAction action) {
    switch (action) {
      case QuietAction.Forward _ -> {
        forwardsOneWay = true;
        current.ifPresent(
            entry -> {
              watch.forwards(entry);
              entry.forwarded = true;
            });
      }
      case QuietAction.Hold _ -> current.ifPresent(entry -> entry.held = true);
      case QuietAction.Park _, QuietAction.Discard _ -> forwardsOneWay = false;
      case QuietAction.Answer(long number, long throttle) -> answer(entry(number), throttle);
      case QuietAction.Pass(long number) -> pass(entry(number), entry(number).throttle);
      case QuietAction.Stamp(long number, long throttle) -> {
        watch.stamps(entry(number), throttle);
        pass(entry(number), Duration.ofNanos(throttle));
      }
      case QuietAction.Drop _ -> {}
      case QuietAction.StopReading _ -> reading = false;
      case QuietAction.ResumeReading _ -> {
        reading = true;
        time.after(Duration.ZERO, this::drain);
      }
      case QuietAction.Switch _ -> {
        watch.switches();
        time.after(chance.millis(0, 10), this::switchedOrNot);
      }
      case QuietAction.SendEnd _ -> sendEnd();
      case QuietAction.Close _ -> close();
      case QuietAction.RingAt(long at) -> ringAt(at);
    }
  }

  private Entry entry(long number) {
    return entries.stream().filter(each -> each.number == number).findFirst().orElseThrow();
  }

  private void switchedOrNot() {
    if (world.habits().switchFails()) {
      tell(new QuietEvent.SwitchFailed(now()));
    } else {
      boolean renewed = world.habits().way() == Terms.Way.IN_PLACE;
      if (renewed) {
        world.broker().beAnother();
      }
      tell(new QuietEvent.SwitchMade(now(), renewed));
    }
  }

  private void ringAt(long at) {
    int mine = ++timer;
    time.after(
        Duration.ofNanos(Math.max(0, at - now())),
        () -> {
          if (mine == timer && !closed) {
            tell(new QuietEvent.TimerRang(now()));
          }
        });
  }

  private void answer(Entry entry, long throttle) {
    watch.answersItself(entry, throttle);
    watch.answers(entry, beingRead && current.filter(entry::equals).isPresent());
    entry.ownAnswer = true;
    entry.throttle = Duration.ofNanos(throttle);
    end(entry);
  }

  private void pass(Entry entry, Duration throttle) {
    entry.answering = true;
    entry.throttle = throttle;
  }

  private void sendEnd() {
    endSent = true;
    reading = true;
    time.after(Duration.ZERO, this::drain);
    writesNext = SimClient.later(writesNext, time.now());
    readsNext = SimClient.later(readsNext, writesNext.plus(world.habits().latency()));
    time.at(readsNext, () -> world.client().receiveEnd());
  }

  private void close() {
    if (!closed) {
      closed = true;
      readsNext = SimClient.later(readsNext, time.now().plus(world.habits().latency()));
      time.at(readsNext, () -> world.client().receiveEnd());
    }
  }

  // ---- what the client sends -----------------------------------------------------------------

  void arrive(Arriving bytes) {
    socket.add(bytes);
    drain();
  }

  private void drain() {
    while (!closed && !socket.isEmpty() && (reading || withinFrame)) {
      switch (socket.removeFirst()) {
        case Arriving.Head head -> readHead(head);
        case Arriving.Rest _ -> readRest();
        case Arriving.End _ -> tell(new QuietEvent.ClientEnded(now()));
      }
    }
    if (closed) {
      socket.clear();
    }
  }

  private void readHead(Arriving.Head head) {
    parkedAsking = false;
    movedAt = time.now();
    var ask = head.ask();
    if (ask.oneWay()) {
      forwardsOneWay = false;
      current = Optional.empty();
      var routed = tell(new QuietEvent.OneWayRead(now()));
      if (parked(routed, head)) {
        return;
      }
      watch.oneWayRead(forwardsOneWay);
      oneWays += forwardsOneWay ? 1 : 0;
    } else {
      var entry = new Entry(head.id(), ask, entries.size(), time.now());
      entries.add(entry);
      current = Optional.of(entry);
      sharing |= world.isSharing(ask);
      beingRead = true;
      var routed = tell(new QuietEvent.RequestRead(now(), request(entry)));
      beingRead = false;
      if (parked(routed, head)) {
        entries.removeLast();
        return;
      }
    }
    withinFrame = true;
    tell(new QuietEvent.BytesRead(now(), false));
  }

  private boolean parked(Optional<QuietAction> routed, Arriving.Head head) {
    if (routed.filter(QuietAction.Park.class::isInstance).isEmpty()) {
      return false;
    }
    socket.addFirst(head);
    parkedAsking = !head.ask().oneWay();
    return true;
  }

  private void readRest() {
    movedAt = time.now();
    withinFrame = false;
    current.filter(entry -> entry.forwarded).ifPresent(world.broker()::serve);
    if (current.isEmpty() && forwardsOneWay) {
      time.after(
          Duration.ofNanos(chance.between(0, 2_000_000)),
          () -> {
            oneWays--;
            greeted = true;
            tell(new QuietEvent.OneWaysWritten(now(), 1));
          });
    }
    tell(new QuietEvent.BytesRead(now(), true));
  }

  // ---- what the broker answers ---------------------------------------------------------------

  void respond(Entry entry) {
    if (!closed) {
      boolean carries = SimBroker.carries(entry.ask.kind(), world.habits());
      var own = carries ? world.broker().ownThrottle() : Duration.ZERO;
      if (!entry.answered) {
        entry.throttle = own;
      }
      tell(new QuietEvent.ResponseCame(now(), entry.number, carries, own.toNanos()));
    }
  }

  void responded(Entry entry) {
    if (!closed && entry.answering) {
      end(entry);
    }
  }

  /** The last byte of a response goes to the client's channel. */
  private void end(Entry entry) {
    if (entry.answered) {
      throw QuietInvariant.ANSWERS_KEEP_ORDER.broken("a second answer to " + entry.id);
    }
    entry.answered = true;
    greeted |= entry.number > 0;
    writesNext = SimClient.later(writesNext, time.now()).plus(slowness());
    time.at(writesNext, () -> written(entry));
    tell(new QuietEvent.Answered(now(), entry.number));
  }

  private void written(Entry entry) {
    if (closed) {
      return;
    }
    entry.written = true;
    movedAt = time.now();
    watch.written(entry);
    readsNext =
        SimClient.later(readsNext, time.now().plus(world.habits().latency())).plus(slowness());
    time.at(readsNext, () -> world.client().receive(entry.id, entry.throttle));
    tell(new QuietEvent.Written(now(), entry.number + 1));
  }

  private Duration slowness() {
    return chance.millis(0, world.habits().slowness());
  }
}
