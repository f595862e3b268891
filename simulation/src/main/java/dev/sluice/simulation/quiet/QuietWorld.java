package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Phase;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.lifecycle.quiet.Terms.Way;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.Trace;
import dev.sluice.simulation.VirtualTime;
import dev.sluice.simulation.quiet.Habits.Ask;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** One connection made of a seed: see the package. Throws {@code InvariantBroken}. One thread. */
public final class QuietWorld {

  private static final Duration AFTERWARDS = Duration.ofSeconds(6);

  private final VirtualTime time = new VirtualTime();
  private final Trace trace = new Trace();
  private final QuietDecisions decisions;
  private final Chance chance;
  private final boolean traced;
  private final Habits habits;
  private final Watch watch;
  private final SimClient client;
  private final SimBroker broker;
  private final SimConnection connection;

  /**
   * @param traced whether it is written down what happens, which takes longer than to do it
   */
  public QuietWorld(long seed, QuietDecisions decisions, boolean traced) {
    this.decisions = decisions;
    this.traced = traced;
    chance = new Chance(seed);
    habits = Habits.of(chance);
    watch = new Watch(this);
    client = new SimClient(this);
    broker = new SimBroker(this);
    connection = new SimConnection(this);
    note(habits::toString);
  }

  /** A connection's life to its end, or for a while beyond its switch; returns the trace. */
  public Trace run() {
    client.start();
    time.runUntil(time.now().plus(habits.markAfter()));
    if (habits.idleFromMark()) {
      client.becomeIdle();
    }
    disturb();
    var terms = mark(habits.way());
    time.runUntil(time.now().plus(habits.drainTimeout()).plus(AFTERWARDS));
    if (connection.state().phase() == Phase.SWITCHED && !habits.calm()) {
      terms = mark(Way.PAUSE_AND_CLOSE);
      time.runUntil(time.now().plus(habits.drainTimeout()).plus(AFTERWARDS));
    }
    watch.checkEnd(terms);
    return trace;
  }

  private void disturb() {
    int within = (int) habits.drainTimeout().toMillis();
    if (habits.leaves()) {
      time.after(chance.millis(0, within), client::leave);
    }
    if (habits.upstreamFails()) {
      time.after(chance.millis(0, within), connection::upstreamEnds);
    }
    if (!habits.calm() && habits.way().stays() && chance.onceIn(3)) {
      time.after(chance.millis(0, within), () -> tighten(Way.PAUSE_AND_CLOSE));
    }
  }

  private Terms mark(Way way) {
    var terms = terms(way);
    connection.mark(terms);
    return terms;
  }

  private void tighten(Way way) {
    if (connection.state().phase() != Phase.SWITCHED && !connection.isClosed()) {
      connection.tighten(terms(way));
    }
  }

  private Terms terms(Way way) {
    var terms = Terms.of(way, habits.pause(), connection.now(), habits.drainTimeout());
    if (!connection.isClosed()) {
      watch.marked(after(terms.grace()), after(terms.deadline()));
    }
    return terms;
  }

  private Instant after(long nanos) {
    return time.now().plusNanos(nanos - connection.now());
  }

  boolean isSharing(Ask ask) {
    return ask.kind() == Kind.SHARING || ask.kind() == Kind.SHARE_POLL;
  }

  /** What happened so far. */
  public Trace trace() {
    return trace;
  }

  void note(Supplier<String> line) {
    if (traced) {
      trace.note(line.get());
    }
  }

  VirtualTime time() {
    return time;
  }

  Chance chance() {
    return chance;
  }

  Habits habits() {
    return habits;
  }

  QuietDecisions decisions() {
    return decisions;
  }

  Watch watch() {
    return watch;
  }

  SimClient client() {
    return client;
  }

  SimBroker broker() {
    return broker;
  }

  SimConnection connection() {
    return connection;
  }
}
