package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.ClusterState.Way;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One of each kind of state and of each kind of event, by name, in the order of the documentation.
 * Generation 2 is the one that serves or served, 3 the next one; all drains end at {@link
 * #DEADLINE}; the retry is due at {@link #RETRY}.
 */
public final class Specimens {

  public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  public static final Instant RETRY = NOW.plusSeconds(5);
  public static final Instant SOONER = NOW.plusSeconds(5);
  public static final Instant DEADLINE = NOW.plusSeconds(10);
  public static final Instant LATER = NOW.plusSeconds(20);
  public static final Recovery RETRY_LATER = new Recovery.RetryAt(RETRY);
  public static final Recovery EXHAUSTED = new Recovery.Exhausted();

  private static final SetUp FRESH = new SetUp.Fresh();

  private Specimens() {}

  /** A failure of attempt 1 of a generation. */
  public static Failure failure(int generation) {
    return new Failure(NOW, generation, 1, "port-busy", "Port 9192 is taken.");
  }

  /** One of {@link #states} by its name. */
  public static ClusterState state(String name) {
    return Objects.requireNonNull(states().get(name), name);
  }

  /** One of {@link #events} by its name. */
  public static ClusterEvent event(String name) {
    return Objects.requireNonNull(events().get(name), name);
  }

  public static Map<String, ClusterState> states() {
    var states = new LinkedHashMap<String, ClusterState>();
    states.put("initializing", new Initializing(2, 1, FRESH, Barrier.OPEN));
    states.put("initializing (behind the barrier)", new Initializing(2, 1, FRESH, Barrier.CLOSED));
    states.put("initializing (prepared)", new Initializing(2, 1, FRESH, Barrier.REACHED));
    states.put("initializing (after a drain)", afterDrain(Fallback.ROLL_BACK));
    states.put("initializing (after a drain, keep new)", afterDrain(Fallback.KEEP_NEW));
    states.put(
        "initializing (rolling back)",
        new Initializing(2, 1, new SetUp.RollBack(failure(3), LATER), Barrier.OPEN));
    states.put("serving", new Serving(2, Change.NONE));
    states.put("serving (preparing the next)", new Serving(2, new Change.Preparing(3)));
    states.put("serving (next is ready)", new Serving(2, new Change.Ready(3)));
    states.put(
        "serving (leaving the former)",
        new Serving(3, new Change.Leaving(2, Way.HANDOVER, DEADLINE)));
    states.put("draining (reload)", draining(new Purpose.Reload(3, Fallback.ROLL_BACK)));
    states.put("draining (person)", draining(new Purpose.Person()));
    states.put("draining (removal)", draining(new Purpose.Removal()));
    states.put("draining (shutdown)", draining(new Purpose.Shutdown()));
    states.put("failed (retry scheduled)", new Failed(failure(2), RETRY_LATER, Barrier.OPEN));
    states.put("failed (exhausted)", new Failed(failure(2), EXHAUSTED, Barrier.OPEN));
    states.put("failed (behind the barrier)", new Failed(failure(2), RETRY_LATER, Barrier.CLOSED));
    states.put("stopped", new Stopped(2, Ending.DRAINED, Optional.empty()));
    return Collections.unmodifiableMap(states);
  }

  public static Map<String, ClusterEvent> events() {
    var events = new LinkedHashMap<String, ClusterEvent>();
    events.put("configuration accepted (4)", new ClusterEvent.ConfigurationAccepted(4));
    events.put("configuration accepted (1)", new ClusterEvent.ConfigurationAccepted(1));
    events.put("prepared (2)", new ClusterEvent.Prepared(2, 1));
    events.put("prepared (3)", new ClusterEvent.Prepared(3, 1));
    events.put("prepare failed (2)", new ClusterEvent.PrepareFailed(failure(2), RETRY_LATER));
    events.put("prepare failed (2, last)", new ClusterEvent.PrepareFailed(failure(2), EXHAUSTED));
    events.put("prepare failed (3)", new ClusterEvent.PrepareFailed(failure(3), RETRY_LATER));
    events.put("barrier opened", new ClusterEvent.BarrierOpened());
    events.put("switch asked (in place)", switchAsked(Way.IN_PLACE));
    events.put("switch asked (handover)", switchAsked(Way.HANDOVER));
    events.put("switch asked (drain)", switchAsked(Way.DRAIN));
    events.put("reload cancelled (3)", new ClusterEvent.ReloadCancelled(3));
    events.put("retry asked", new ClusterEvent.RetryAsked());
    events.put("retry due", new ClusterEvent.RetryDue(RETRY));
    events.put("retry due (a void one)", new ClusterEvent.RetryDue(NOW));
    events.put("drain asked", new ClusterEvent.DrainAsked(LATER));
    events.put("removal asked", new ClusterEvent.RemovalAsked(LATER));
    events.put("shutdown asked", new ClusterEvent.ShutdownAsked(LATER));
    events.put("shutdown asked (sooner)", new ClusterEvent.ShutdownAsked(SOONER));
    events.put("quiesced (2)", new ClusterEvent.Quiesced(2));
    events.put("quiesced (1)", new ClusterEvent.Quiesced(1));
    events.put("deadline passed", new ClusterEvent.DeadlinePassed(DEADLINE));
    events.put("deadline passed (a void one)", new ClusterEvent.DeadlinePassed(SOONER));
    return Collections.unmodifiableMap(events);
  }

  private static ClusterState afterDrain(Fallback fallback) {
    return new Initializing(3, 1, new SetUp.AfterDrain(2, fallback, LATER), Barrier.OPEN);
  }

  private static ClusterState draining(Purpose purpose) {
    return new Draining(2, purpose, DEADLINE);
  }

  private static ClusterEvent switchAsked(Way way) {
    return new ClusterEvent.SwitchAsked(3, way, Fallback.ROLL_BACK, DEADLINE);
  }
}
