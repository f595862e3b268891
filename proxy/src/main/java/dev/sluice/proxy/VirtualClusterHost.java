package dev.sluice.proxy;

import dev.sluice.lifecycle.Action;
import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import io.netty.util.concurrent.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the life of one virtual cluster: tells it what happened, and does what it says. Everything
 * runs on the control thread, but what is said to be safe from elsewhere.
 */
final class VirtualClusterHost {

  /** Hears of every step, on the control thread, before its actions are obeyed. */
  interface Listener {
    void stepped(Life before, Life after, Step step);

    /** An automatic retry of it is due: it is told so in its time. */
    void retryDue(VirtualClusterHost host, Instant due);
  }

  private static final Logger LOG = LoggerFactory.getLogger(VirtualClusterHost.class);

  /** What this life is about, at one moment. */
  private record Seen(Life life, VirtualClusterSpec spec) {}

  private final Engine engine;
  private final Listener listener;
  private final ClusterMeters meters;
  private final CertificateMeters certificates;
  private final SparseLog<DisconnectCause> log;
  private final ListeningSockets sockets;
  private final Generations generations;
  private final Departures departures;
  private final Alarms alarms;
  private final Watch watch;
  private final Step begun;

  private volatile Seen seen;

  /**
   * @param begun the beginning of a life; {@link #begin} obeys it
   */
  VirtualClusterHost(
      VirtualClusterSpec spec,
      Life.Lived begun,
      Engine engine,
      SetUpAnswers.RecoveryDecision recovery,
      Listener listener) {
    this.engine = engine;
    this.listener = listener;
    this.meters =
        new ClusterMeters(engine.registry(), spec.name(), this::connections, this::limits);
    this.log =
        new SparseLog<>(
            DisconnectCause.class, engine.network().repeatedLogInterval(), System::nanoTime);
    this.certificates = new CertificateMeters(engine.registry(), spec.name());
    this.sockets = new ListeningSockets(spec.name(), engine);
    this.generations =
        new Generations(
            engine,
            meters,
            log,
            sockets,
            new SetUpAnswers(spec.name(), engine, recovery, this::tell));
    this.departures = new Departures(spec.name(), engine, meters);
    this.alarms = new Alarms(engine);
    this.watch = new Watch(engine.control());
    this.begun = begun.step();
    this.seen = new Seen(begun.life(), spec);
    generations.configure(begun.life().generation(), spec);
  }

  // ---- what can be seen; safe from every thread ----------------------------------------------

  Life life() {
    return seen.life;
  }

  ClusterState state() {
    return seen.life.state();
  }

  Generations generations() {
    return generations;
  }

  /** The configuration that the state is about. */
  VirtualClusterSpec spec() {
    return seen.spec;
  }

  int connections() {
    return generations.connections();
  }

  private LimitsSpec limits() {
    return seen.spec.limits();
  }

  ClusterView view() {
    var now = seen;
    return new ClusterView(
        now.life,
        now.spec,
        connections(),
        meters.inFlight(),
        departures.progress(),
        departures.last(),
        generations.leftOut(now.life.generation()),
        generations.gatewayTls(now.life.generation()),
        sockets.lingeringPorts());
  }

  /** Closes connections on which nothing has moved for too long, and tells what nobody told. */
  void lookAfterConnections() {
    generations.checkIdle();
    log.tellLeftOut(
        (cause, count) ->
            LOG.atWarn()
                .addKeyValue("virtualCluster", life().name())
                .addKeyValue("cause", cause.label())
                .addKeyValue("leftOut", count)
                .log("Closed more connections"));
  }

  // ---- what is told and asked ----------------------------------------------------------------

  /** Obeys what the beginning of this life asks for. */
  void begin() {
    begun.actions().forEach(this::obey);
  }

  /** What the beginning of this life was. */
  Step begun() {
    return begun;
  }

  /** The name of a stopped cluster begins a new life. */
  Step beginAgain(VirtualClusterSpec spec, Barrier barrier) {
    var before = life();
    if (!(before.state() instanceof ClusterState.Stopped)) {
      return Refusals.of(
          before.state(),
          "It is " + before.state().kind().label() + ": only what is stopped can begin again.");
    }
    var lived = before.beginAgain(barrier, engine.clock().instant());
    generations.releaseAllBut(0);
    generations.configure(lived.life().generation(), spec);
    return follow(before, lived);
  }

  /** Something happened, or is asked for. */
  Step tell(ClusterEvent event) {
    var before = life();
    return follow(before, before.on(event, engine.clock().instant()));
  }

  private Step follow(Life before, Life.Lived lived) {
    seen = new Seen(lived.life(), generations.spec(lived.life().generation()));
    listener.stepped(before, lived.life(), lived.step());
    lived.step().actions().forEach(this::obey);
    watch.look(this::life);
    return lived.step();
  }

  /** A checked configuration is to become the next generation. */
  Accepted accept(VirtualClusterSpec next) {
    int generation = life().nextGeneration();
    generations.configure(generation, next);
    var step = tell(new ClusterEvent.ConfigurationAccepted(generation));
    if (step instanceof Step.Refused) {
      generations.forget(generation);
    }
    return new Accepted(generation, step);
  }

  /** The life as soon as it is like that. */
  CompletionStage<Life> until(Predicate<Life> wanted) {
    return watch.until(wanted, life());
  }

  /** Completes when everything that was released is gone, and reported. */
  Future<?> released() {
    return departures.reportedAnd(generations.gone());
  }

  /** The metric series of this cluster disappear. */
  void removeMeters() {
    meters.remove();
    certificates.show(Map.of());
  }

  // ---- what is obeyed ------------------------------------------------------------------------

  private void obey(Action action) {
    switch (action) {
      case Action.PrepareGeneration(int generation, int attempt) ->
          generations.prepare(generation, attempt, state() instanceof ClusterState.Serving);
      // All of it was acquired when it was prepared beside, or has been kept.
      case Action.InstallGeneration(int generation) -> answerPrepared(generation);
      case Action.RestoreGeneration(int generation) -> answerPrepared(generation);
      case Action.AdmitClients(int generation) -> admit(generation);
      case Action.TakeOver over -> takeOver(over);
      case Action.Quiesce quiesce -> quiesce(quiesce);
      case Action.ChangePurpose(Purpose purpose) -> changePurpose(purpose);
      case Action.TightenDeadline(Instant deadline) -> {
        departures.tighten(deadline);
        awaitDeadline(deadline);
      }
      case Action.CutConnections(int generation) -> departures.cut(generations.upTo(generation));
      case Action.AbandonSetUp(int generation) -> generations.abandon(generation);
      case Action.ReleaseGeneration(int generation) -> {
        departures.end();
        generations.release(generation);
      }
      case Action.ReleaseEverything _ -> releaseEverything();
      case Action.ScheduleRetry(Instant at) ->
          alarms.set(Alarms.Kind.RETRY, at, () -> listener.retryDue(this, at));
      case Action.CancelRetry _ -> alarms.cancel(Alarms.Kind.RETRY);
    }
  }

  private void answerPrepared(int generation) {
    if (state() instanceof Initializing(_, _, SetUp.AfterDrain(_, _, Instant until), _)) {
      alarms.set(Alarms.Kind.HOLD, until, this::letGo);
    }
    // Told by the executor, not at once: the actions that follow come first.
    engine.control().execute(() -> tell(new ClusterEvent.Prepared(generation, 1)));
  }

  /** Nobody is held for longer than that, however long it takes until somebody serves. */
  private void letGo() {
    sockets.letGo();
    var again = engine.clock().instant().plus(SetUp.HOLD_BEYOND_DRAIN);
    alarms.set(Alarms.Kind.HOLD, again, this::letGo);
  }

  private void admit(int generation) {
    alarms.cancel(Alarms.Kind.HOLD);
    departures.end();
    var admitted = generations.get(generation);
    admitted.connections().leftBy(null);
    sockets.admit(admitted);
    certificates.show(admitted.encryption().ends());
  }

  private void takeOver(Action.TakeOver over) {
    var next = generations.get(over.to());
    sockets.admit(next);
    certificates.show(next.encryption().ends());
    departures.begin(
        new Departure.Leave(
            over.way(),
            List.of(generations.get(over.from())),
            over.way() == Way.IN_PLACE ? next : null),
        over.deadline(),
        () -> tell(new ClusterEvent.Quiesced(over.from())));
    departures.welcomedBy(next);
    awaitDeadline(over.deadline());
  }

  private void quiesce(Action.Quiesce quiesce) {
    sockets.hold();
    shutPortsFirst(quiesce.purpose());
    departures.begin(
        new Departure.Leave(Way.DRAIN, generations.upTo(quiesce.generation()), null),
        quiesce.deadline(),
        () -> tell(new ClusterEvent.Quiesced(quiesce.generation())));
    awaitDeadline(quiesce.deadline());
  }

  private void changePurpose(Purpose purpose) {
    shutPortsFirst(purpose);
    sockets.letGo();
  }

  private void shutPortsFirst(Purpose purpose) {
    if (engine.closesPortsFirst() && purpose instanceof Purpose.Shutdown) {
      sockets.shut();
    }
  }

  private void awaitDeadline(Instant deadline) {
    alarms.set(
        Alarms.Kind.DEADLINE, deadline, () -> tell(new ClusterEvent.DeadlinePassed(deadline)));
  }

  private void releaseEverything() {
    alarms.cancelAll();
    departures.end();
    certificates.show(Map.of());
    generations.releaseAllBut(life().generation());
  }
}
