package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.Action;
import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Place;
import dev.sluice.lifecycle.reload.Present;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A virtual cluster of several generations. Its set-ups take time and fail. */
final class SimReloadCluster {

  private final SimReloadProxy proxy;
  private final VirtualTime time;
  private final Chance chance;
  private final SortedMap<Integer, Blueprint> blueprints = new TreeMap<>();

  /** Generations that hold resources, or are acquiring them. */
  private final SortedSet<Integer> held = new TreeSet<>();

  private final SimDoors doors;
  private Life life;

  SimReloadCluster(SimReloadProxy proxy, Life.Lived begun, Blueprint blueprint) {
    this.proxy = proxy;
    time = proxy.time();
    chance = proxy.chance();
    life = begun.life();
    doors = new SimDoors(life.name(), time, proxy.decisions());
    blueprints.put(1, blueprint);
    begun.step().actions().forEach(this::obey);
  }

  Life life() {
    return life;
  }

  Present present() {
    return new Present(life.name(), life.state(), blueprint(life.generation()));
  }

  /** What it runs, if it serves. */
  Optional<Blueprint> running() {
    return life.state() instanceof Serving serving
        ? Optional.of(blueprint(serving.generation()))
        : Optional.empty();
  }

  /** Ports that its generations hold. */
  boolean holdsAnyOf(Collection<Place> places) {
    return held.stream()
        .anyMatch(each -> blueprint(each).places().stream().anyMatch(places::contains));
  }

  boolean holdsNothing() {
    return held.isEmpty() && doors.areClosed();
  }

  SimDoors doors() {
    return doors;
  }

  /** The next generation is to have this. */
  ClusterEvent numbered(Blueprint asked) {
    int generation = life.nextGeneration();
    blueprints.put(generation, asked);
    return new ClusterEvent.ConfigurationAccepted(generation);
  }

  Step tell(ClusterEvent event) {
    var before = life.state();
    var lived = life.on(event, time.now());
    life = lived.life();
    proxy.stepped(life.name(), before, lived.step(), event);
    lived.step().actions().forEach(this::obey);
    check();
    return lived.step();
  }

  private void check() {
    boolean nothingWanted =
        life.state() instanceof ClusterState.Failed || life.state() instanceof ClusterState.Stopped;
    ReloadInvariant.RELEASED_ONCE.require(
        !nothingWanted || holdsNothing(),
        () -> life.name() + " " + life.state() + " holds " + held + " or doors");
  }

  private void obey(Action action) {
    switch (action) {
      case Action.PrepareGeneration(int generation, int attempt) -> {
        hold(generation);
        time.after(chance.millis(1, 400), () -> prepared(generation, attempt));
      }
      case Action.InstallGeneration(int generation) -> install(generation, proxy.fails(10));
      case Action.RestoreGeneration(int generation) -> install(generation, proxy.fails(6));
      case Action.TakeOver over -> takeOver(over);
      case Action.Quiesce(int generation, _, Instant deadline) -> {
        doors.hold();
        time.after(chance.millis(0, 600), () -> tell(new ClusterEvent.Quiesced(generation)));
        time.at(deadline, () -> tell(new ClusterEvent.DeadlinePassed(deadline)));
      }
      case Action.TightenDeadline(Instant deadline) ->
          time.at(deadline, () -> tell(new ClusterEvent.DeadlinePassed(deadline)));
      case Action.AbandonSetUp(int generation) -> release(generation);
      case Action.ReleaseGeneration(int generation) -> release(generation);
      case Action.ReleaseEverything _ -> List.copyOf(held).forEach(this::release);
      case Action.ScheduleRetry(Instant at) -> time.at(at, () -> proxy.retryDue(this, at));
      case Action.AdmitClients(int generation) -> doors.admit(blueprint(generation));
      case Action.ChangePurpose _, Action.CutConnections _, Action.CancelRetry _ -> {}
    }
  }

  private void hold(int generation) {
    ReloadInvariant.RELEASED_ONCE.require(
        held.add(generation), () -> "generation " + generation + " is set up over itself");
  }

  private void release(int generation) {
    ReloadInvariant.RELEASED_ONCE.require(
        held.remove(generation), () -> "generation " + generation + " is released, but not held");
    doors.forget(generation);
  }

  private void prepared(int generation, int attempt) {
    if (!held.contains(generation)) {
      return;
    }
    var busy = proxy.holderOf(blueprint(generation), life.name());
    if (busy.isPresent()) {
      tell(failed(generation, attempt, busy.get() + " holds its port"));
      return;
    }
    proxy.giveUp(blueprint(generation), life.name());
    doors.name(generation, blueprint(generation));
    if (proxy.fails(8)) {
      tell(failed(generation, attempt, "simulated"));
    } else {
      tell(new ClusterEvent.Prepared(generation, attempt));
    }
  }

  private void install(int generation, boolean fails) {
    time.after(
        chance.millis(1, 300),
        () ->
            tell(
                fails
                    ? failed(generation, 1, "simulated")
                    : new ClusterEvent.Prepared(generation, 1)));
  }

  private void takeOver(Action.TakeOver over) {
    var from = blueprint(over.from());
    var to = blueprint(over.to());
    ReloadInvariant.NEVER_TWO_KAFKA_CLUSTERS_TOGETHER.require(
        Configurations.kafkaCluster(from).equals(Configurations.kafkaCluster(to)),
        () -> life.name() + " " + over + " from " + from + " to " + to);
    ReloadInvariant.IN_PLACE_KEEPS_THE_ADDRESS.require(
        over.way() == Way.HANDOVER || !from.differences(to).contains(Aspect.GATEWAYS),
        () -> life.name() + " " + over + " from " + from + " to " + to);
    doors.admit(to);
    if (!chance.onceIn(8)) {
      time.after(chance.millis(0, 600), () -> tell(new ClusterEvent.Quiesced(over.from())));
    }
    time.at(over.deadline(), () -> tell(new ClusterEvent.DeadlinePassed(over.deadline())));
  }

  private ClusterEvent failed(int generation, int attempt, String cause) {
    var failure = new Failure(time.now(), generation, attempt, "simulated", cause);
    return new ClusterEvent.PrepareFailed(failure, proxy.recoveryAfter(attempt));
  }

  private Blueprint blueprint(int generation) {
    return Objects.requireNonNull(blueprints.get(generation));
  }
}
