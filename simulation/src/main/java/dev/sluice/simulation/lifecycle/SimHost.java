package dev.sluice.simulation.lifecycle;

import dev.sluice.lifecycle.Action;
import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterEvent.DeadlinePassed;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.Prepared;
import dev.sluice.lifecycle.ClusterEvent.Quiesced;
import dev.sluice.lifecycle.ClusterEvent.RetryDue;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.Life;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import java.time.Instant;
import java.util.List;

/**
 * A shell as far as the lifecycle can tell: keeps one life, tells it what happens, obeys its
 * actions in order. Its set-ups take time, fail, and answer when nobody wants to know any more; its
 * timers are not always cancelled.
 */
final class SimHost {

  private final LifecycleWorld world;
  private final VirtualTime time;
  private final Chance chance;
  private final Holdings holdings = new Holdings();
  private final SimConnections connections;
  private final Witness witness;
  private Life life;

  SimHost(LifecycleWorld world, Life.Lived begun) {
    this.world = world;
    time = world.time();
    chance = world.chance();
    connections = new SimConnections(time, chance);
    witness = new Witness(world.maxRetries());
    life = begun.life();
    obey(begun.step().actions());
  }

  Life life() {
    return life;
  }

  ClusterState state() {
    return life.state();
  }

  Witness witness() {
    return witness;
  }

  Holdings holdings() {
    return holdings;
  }

  /** One step: decide, obey, check. */
  void tell(ClusterEvent event) {
    var before = life.state();
    var step = world.decisions().on(life.name(), before, event);
    world.trace().note(time.now() + " " + life.name() + " " + event + " -> " + step);
    life = life.after(step, event, time.now());
    witness.saw(before, event, step);
    obey(step.actions());
    check();
    world.told(this, step);
  }

  void check() {
    witness.looked(life.state(), time.now());
    switch (life.state()) {
      case ClusterState.Failed _, ClusterState.Stopped _ ->
          Invariant.FAILED_HOLDS_NOTHING.require(
              holdings.isEmpty() && connections.total() == 0,
              () -> life.state() + " holds generations " + holdings + ", " + connections);
      case ClusterState.Serving serving -> checkServing(serving);
      case ClusterState.Initializing _, ClusterState.Draining _ ->
          Invariant.RELEASED_ONCE.require(
              holdings.count() <= 2, () -> life.state() + " holds generations " + holdings);
    }
  }

  private void checkServing(ClusterState.Serving serving) {
    Invariant.ONLY_PREPARED_ONES_SERVE.require(
        holdings.isComplete(serving.generation()),
        () -> serving + " holds generations " + holdings);
    boolean alone = serving.change() instanceof ClusterState.Change.None;
    Invariant.RELEASED_ONCE.require(
        holdings.count() == (alone ? 1 : 2), () -> serving + " holds generations " + holdings);
  }

  private void obey(List<Action> actions) {
    for (var action : actions) {
      obey(action);
    }
  }

  private void obey(Action action) {
    switch (action) {
      case Action.PrepareGeneration(int generation, int attempt) -> {
        var held = holdings.begin(generation, attempt);
        time.after(chance.millis(1, 400), () -> acquire(generation, held));
      }
      case Action.InstallGeneration(int generation) -> install(generation);
      case Action.RestoreGeneration(int generation) -> install(generation);
      case Action.AdmitClients(int generation) -> admit(generation);
      case Action.TakeOver over -> {
        admit(over.to());
        connections.move(over.from(), over.to(), () -> tell(new Quiesced(over.from())));
        startTimer(over.deadline());
      }
      case Action.Quiesce(int generation, _, Instant deadline) -> {
        connections.quiesce(() -> tell(new Quiesced(generation)));
        startTimer(deadline);
      }
      case Action.ChangePurpose _ -> {}
      case Action.TightenDeadline(Instant deadline) -> startTimer(deadline);
      case Action.CutConnections(int generation) -> connections.cut(generation);
      case Action.AbandonSetUp(int generation) -> holdings.release(generation);
      case Action.ReleaseGeneration(int generation) -> {
        Invariant.FAILED_HOLDS_NOTHING.require(
            connections.of(generation) == 0,
            () -> "generation " + generation + " is released under its connections");
        holdings.release(generation);
      }
      case Action.ReleaseEverything _ -> holdings.releaseAll();
      case Action.ScheduleRetry(Instant at) -> time.at(at, () -> tell(new RetryDue(at)));
      case Action.CancelRetry _ -> {} // A timer that fires all the same has to be harmless.
    }
  }

  /** One resource after the other; what is acquired for nobody any more is given back at once. */
  private void acquire(int generation, Holdings.Held held) {
    if (held.isReleased()) {
      if (chance.onceIn(2)) {
        tell(new Prepared(generation, held.attempt()));
      }
      return;
    }
    if (world.fails()) {
      tell(failed(generation, held.attempt(), "port-busy"));
      return;
    }
    held.acquire();
    if (held.isComplete()) {
      tell(new Prepared(generation, held.attempt()));
      return;
    }
    time.after(chance.millis(1, 400), () -> acquire(generation, held));
  }

  private void install(int generation) {
    Invariant.ONLY_PREPARED_ONES_SERVE.require(
        holdings.isComplete(generation),
        () -> "generation " + generation + " is not there to install");
    boolean fails = world.fails();
    time.after(
        chance.millis(1, 300),
        () -> tell(fails ? failed(generation, 1, "filter-start") : new Prepared(generation, 1)));
  }

  private void admit(int generation) {
    world.admitted();
    Invariant.ONLY_PREPARED_ONES_SERVE.require(
        holdings.isComplete(generation), () -> "generation " + generation + " admits clients");
    connections.admit(generation);
  }

  private void startTimer(Instant deadline) {
    time.at(deadline, () -> tell(new DeadlinePassed(deadline)));
  }

  private PrepareFailed failed(int generation, int attempt, String code) {
    var failure = new Failure(time.now(), generation, attempt, code, "Simulated.");
    return new PrepareFailed(failure, world.recoveryAfter(attempt));
  }
}
