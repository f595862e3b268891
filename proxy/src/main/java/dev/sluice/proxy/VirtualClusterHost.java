package dev.sluice.proxy;

import dev.sluice.lifecycle.Action;
import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.Step;
import dev.sluice.lifecycle.quiet.Bounds;
import dev.sluice.lifecycle.quiet.QuietReport;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the life of one virtual cluster: tells it what happened, and does what it says. Everything
 * runs on the control thread, but {@link #life} and the counts, which any thread may read.
 */
final class VirtualClusterHost {

  private static final Logger LOG = LoggerFactory.getLogger(VirtualClusterHost.class);

  /** Hears of every step, on the control thread, before its actions are obeyed. */
  interface Listener {
    void stepped(Life before, Life after, Step step);
  }

  /** Decides what follows if a set-up that failed makes the cluster fail. */
  interface RecoveryDecision {
    Recovery decide(int attempt, Instant now);
  }

  private final VirtualClusterSpec spec;
  private final Engine engine;
  private final RecoveryDecision recovery;
  private final Listener listener;
  private final ClusterMeters meters;
  private final Map<Integer, Generation> held = new HashMap<>();
  private final Set<Integer> settingUp = new HashSet<>();
  private final Set<Integer> abandoned = new HashSet<>();

  private volatile Life life;
  private volatile @Nullable Generation serving;
  private Future<?> released;
  private @Nullable Future<?> deadlineTimer;
  private @Nullable Future<?> retryTimer;
  private @Nullable Instant drainingSince;

  VirtualClusterHost(
      VirtualClusterSpec spec,
      Barrier barrier,
      Engine engine,
      RecoveryDecision recovery,
      Listener listener) {
    this.spec = spec;
    this.engine = engine;
    this.recovery = recovery;
    this.listener = listener;
    this.meters = new ClusterMeters(engine.registry(), spec.name(), this::connections);
    this.released = engine.control().newSucceededFuture(null);
    this.life = Life.begin(spec.name(), barrier, engine.clock().instant()).life();
  }

  /** Obeys what the beginning of this life asks for. */
  void begin() {
    prepare(life.generation(), 1);
  }

  Life life() {
    return life;
  }

  VirtualClusterSpec spec() {
    return spec;
  }

  int connections() {
    var generation = serving;
    return generation == null ? 0 : generation.connections().size();
  }

  int requestsInFlight() {
    return meters.inFlight();
  }

  /** Something happened, or is asked for. */
  Step tell(ClusterEvent event) {
    var before = life;
    var lived = before.on(event, engine.clock().instant());
    life = lived.life();
    listener.stepped(before, lived.life(), lived.step());
    lived.step().actions().forEach(this::obey);
    return lived.step();
  }

  private void obey(Action action) {
    switch (action) {
      case Action.PrepareGeneration(int generation, int attempt) -> prepare(generation, attempt);
      case Action.AdmitClients(int generation) -> admit(generation);
      case Action.Quiesce(int generation, _, Instant deadline) -> quiesce(generation, deadline);
      case Action.TightenDeadline(Instant deadline) -> scheduleDeadline(deadline);
      case Action.CutConnections(int generation) -> cut(generation);
      case Action.AbandonSetUp(int generation) -> abandon(generation);
      case Action.ReleaseGeneration(int generation) -> release(generation);
      case Action.ReleaseEverything _ -> releaseEverything();
      case Action.ScheduleRetry(Instant at) ->
          retryTimer = schedule(at, () -> tell(new ClusterEvent.RetryDue(at)));
      case Action.CancelRetry _ -> cancel(retryTimer);
      // Who arrives while a cluster drains waits in the backlog, whatever the drain is for.
      case Action.ChangePurpose _ -> {}
      case Action.InstallGeneration _, Action.RestoreGeneration _, Action.TakeOver _ ->
          throw new IllegalStateException(
              "expected no reload, which nobody can ask for, found " + action);
    }
  }

  private void prepare(int generation, int attempt) {
    settingUp.add(generation);
    // A port that is being closed is still busy.
    released.addListener(
        _ ->
            Generation.acquire(generation, spec, engine, meters)
                .addListener((Future<Generation> done) -> prepared(done, generation, attempt)));
  }

  private void prepared(Future<Generation> done, int generation, int attempt) {
    settingUp.remove(generation);
    boolean wanted = !abandoned.remove(generation);
    if (!done.isSuccess()) {
      if (wanted) {
        var failure = failure(done.cause(), generation, attempt);
        tell(new ClusterEvent.PrepareFailed(failure, recovery.decide(attempt, failure.at())));
      }
      return;
    }
    var acquired = done.getNow();
    if (!wanted) {
      alsoReleased(acquired.release());
      return;
    }
    held.put(generation, acquired);
    tell(new ClusterEvent.Prepared(generation, attempt));
  }

  private Failure failure(Throwable cause, int generation, int attempt) {
    var at = engine.clock().instant();
    if (cause instanceof SetUpException known) {
      return new Failure(at, generation, attempt, known.code(), known.sentence());
    }
    LOG.atError()
        .addKeyValue("virtualCluster", spec.name())
        .setCause(cause)
        .log("Set-up failed unexpectedly");
    return new Failure(at, generation, attempt, "unexpected", cause.toString());
  }

  private void admit(int generation) {
    var admitted = held.get(generation);
    if (admitted == null) {
      throw new IllegalStateException(
          "expected generation " + generation + " of " + spec.name() + " to be held");
    }
    serving = admitted;
    admitted.admit();
  }

  private void quiesce(int generation, Instant deadline) {
    drainingSince = engine.clock().instant();
    scheduleDeadline(deadline);
    var quiesced = held.get(generation);
    if (quiesced != null) {
      // Told by the executor, not at once: the actions that follow come first.
      engine
          .control()
          .execute(
              () ->
                  quiesced.quiesce(
                      Bounds.PAUSE,
                      timeUntil(deadline),
                      () -> tell(new ClusterEvent.Quiesced(generation))));
    }
  }

  private void scheduleDeadline(Instant deadline) {
    cancel(deadlineTimer);
    deadlineTimer = schedule(deadline, () -> tell(new ClusterEvent.DeadlinePassed(deadline)));
  }

  private void cut(int generation) {
    var cut = held.get(generation);
    if (cut != null) {
      cut.cut();
    }
  }

  private void abandon(int generation) {
    if (held.containsKey(generation)) {
      release(generation);
    } else if (settingUp.contains(generation)) {
      abandoned.add(generation);
    }
  }

  private void release(int generation) {
    var gone = held.remove(generation);
    if (gone != null) {
      alsoReleased(gone.release());
    }
  }

  private void releaseEverything() {
    cancel(deadlineTimer);
    cancel(retryTimer);
    if (drainingSince != null) {
      reportDrain(drainingSince);
      drainingSince = null;
    }
    abandoned.addAll(settingUp);
    Set.copyOf(held.keySet()).forEach(this::release);
    serving = null;
  }

  private void reportDrain(Instant since) {
    var report =
        held.values().stream()
            .map(Generation::quietReport)
            .reduce(QuietReport.NONE, QuietReport::plus);
    var took = Duration.between(since, engine.clock().instant());
    meters.drained(took);
    LOG.atInfo()
        .addKeyValue("virtualCluster", spec.name())
        .addKeyValue("millis", took.toMillis())
        .addKeyValue("connections", report.outcomes())
        .addKeyValue("stamps", report.stamps())
        .addKeyValue("answeredEarly", report.earlyAnswers())
        .addKeyValue("refused", report.refused())
        .addKeyValue("unanswered", report.unanswered())
        .addKeyValue("oneWaysLost", report.oneWaysLost())
        .log("Drained");
  }

  private void alsoReleased(Future<?> one) {
    var all = new PromiseCombiner(engine.control());
    all.addAll(released, one);
    var both = engine.control().<Void>newPromise();
    all.finish(both);
    released = both;
  }

  /** Completes when the sockets of everything that was released are closed. */
  Future<?> released() {
    return released;
  }

  /** The metric series of this cluster disappear. */
  void removeMeters() {
    meters.remove();
  }

  /** Closes connections on which nothing has moved for too long. */
  void checkIdle() {
    var generation = serving;
    if (generation != null) {
      long now = System.nanoTime();
      for (var connection : generation.connections()) {
        connection.checkIdle(now, engine.network());
      }
    }
  }

  ClusterState state() {
    return life.state();
  }

  private Future<?> schedule(Instant at, Runnable then) {
    return engine.control().schedule(then, timeUntil(at).toMillis(), TimeUnit.MILLISECONDS);
  }

  private Duration timeUntil(Instant at) {
    var left = Duration.between(engine.clock().instant(), at);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static void cancel(@Nullable Future<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
