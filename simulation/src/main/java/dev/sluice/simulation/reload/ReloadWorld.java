package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.ClusterEvent.DrainAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.doors.Doors;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Mode;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.Strategy;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.Trace;
import dev.sluice.simulation.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A proxy that is reloaded, made of a seed: see the package. Throws {@code InvariantBroken}. */
public final class ReloadWorld {

  private static final int DISTURBANCES = 16;
  private static final Duration SETTLING = Duration.ofMinutes(1);

  private final VirtualTime time = new VirtualTime();
  private final Trace trace = new Trace();
  private final Chance chance;
  private final Configurations configurations;
  private final SimReloadProxy proxy;
  private SortedMap<String, Blueprint> newest;

  public ReloadWorld(long seed, ReloadDecisions decisions) {
    chance = new Chance(seed);
    configurations = new Configurations(chance);
    proxy = new SimReloadProxy(time, chance, trace, decisions);
    newest = configurations.first();
  }

  /** Both phases, then the end of the proxy; returns the trace. */
  public Trace run() {
    newest.forEach((name, blueprint) -> proxy.begin(name, Barrier.OPEN, blueprint));
    int shutdownAt = chance.onceIn(4) ? chance.between(2, DISTURBANCES) : DISTURBANCES;
    for (int disturbance = 0; disturbance < shutdownAt; disturbance++) {
      time.runUntil(time.now().plus(chance.millis(0, 1_500)));
      disturb();
    }
    if (shutdownAt == DISTURBANCES) {
      settle();
    }
    proxy.shutDown();
    time.runUntil(time.now().plus(SETTLING));
    checkEnd();
    return trace;
  }

  /** What happened so far. */
  public Trace trace() {
    return trace;
  }

  private void disturb() {
    switch (chance.between(1, 10)) {
      case 1, 2, 3, 4, 5 -> {
        newest = configurations.after(newest);
        proxy.ask(newest, policy());
      }
      case 6, 7 -> proxy.ask(newest, policy());
      case 8 -> someone().ifPresent(name -> proxy.askedByPerson(name, new RetryAsked()));
      case 9 ->
          someone()
              .filter(_ -> chance.onceIn(3))
              .ifPresent(
                  name -> proxy.askedByPerson(name, new DrainAsked(time.now().plusSeconds(1))));
      default -> {}
    }
  }

  private Optional<String> someone() {
    var all = List.copyOf(proxy.clusters().keySet());
    return all.isEmpty() ? Optional.empty() : Optional.of(chance.oneOf(all));
  }

  private ReloadPolicy policy() {
    return new ReloadPolicy(
        chance.oneOf(List.of(Mode.values())),
        chance.onceIn(5) ? Strategy.DRAIN : Strategy.LEAST_DISRUPTIVE,
        chance.oneOf(List.of(Fallback.values())));
  }

  /** Without faults the newest configuration, asked for once more, is what runs. */
  private void settle() {
    proxy.endFaults();
    time.runUntil(time.now().plus(SETTLING));
    proxy.clusters().values().forEach(this::checkNoRetryIsLost);
    if (proxy.isObstructed(newest)) {
      // As whoever asks is told to: not all at once.
      proxy.ask(new TreeMap<>(), ReloadPolicy.DEFAULT);
      time.runUntil(time.now().plus(SETTLING));
    }
    proxy.ask(newest, ReloadPolicy.DEFAULT);
    time.runUntil(time.now().plus(SETTLING));
    ReloadInvariant.EVERYTHING_SETTLES.require(!proxy.isReloading(), () -> "a reload does not end");
    newest.forEach(
        (name, blueprint) -> {
          var cluster = Optional.ofNullable(proxy.clusters().get(name));
          ReloadInvariant.EVERYTHING_SETTLES.require(
              cluster.filter(one -> isAsConfigured(one, blueprint)).isPresent(),
              () -> name + " rests as " + cluster.map(one -> one.present()));
        });
    ReloadInvariant.EVERYTHING_SETTLES.require(
        newest.keySet().containsAll(proxy.serving()),
        () -> proxy.serving() + " serve, configured are " + newest.keySet());
    time.runUntil(time.now().plus(Doors.LONGEST));
    proxy.clusters().values().forEach(cluster -> cluster.doors().checkNoneLingers());
  }

  private void checkNoRetryIsLost(SimReloadCluster cluster) {
    boolean overdue =
        cluster.life().state() instanceof Failed failed
            && failed.recovery().nextRetry().filter(time.now()::isAfter).isPresent();
    ReloadInvariant.NO_RETRY_IS_LOST.require(
        !overdue, () -> cluster.life().name() + " was to be retried: " + cluster.life().state());
  }

  private static boolean isAsConfigured(SimReloadCluster cluster, Blueprint blueprint) {
    return cluster.life().state() instanceof Stopped
        ? cluster.present().blueprint().equals(blueprint)
        : cluster.running().equals(Optional.of(blueprint));
  }

  private void checkEnd() {
    proxy.witness().checkAllAnswered();
    for (var cluster : new ArrayList<>(proxy.clusters().values())) {
      ReloadInvariant.RELEASED_ONCE.require(
          cluster.holdsNothing() && cluster.life().state() instanceof Stopped,
          () -> cluster.life().name() + " ends as " + cluster.life().state());
    }
  }
}
