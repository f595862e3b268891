package dev.sluice.simulation.lifecycle;

import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.ReloadCancelled;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.SwitchAsked;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.ClusterState.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reloads as the shell does: prepares all beside, then switches all, and waits for the end. */
final class SimReloader {

  private static final Duration LOOK_AGAIN = Duration.ofMillis(120);
  private static final List<Fallback> FALLBACKS = List.of(Fallback.values());
  private static final List<Way> WAYS = List.of(Way.values());

  private record Affected(SimHost host, int generation) {}

  private final LifecycleWorld world;
  private final List<Affected> affected = new ArrayList<>();
  private boolean running;

  SimReloader(LifecycleWorld world) {
    this.world = world;
  }

  boolean isRunning() {
    return running;
  }

  /** Begins a reload of some of the clusters; one at a time. */
  void reload() {
    if (running) {
      return;
    }
    running = true;
    affected.clear();
    for (var host : List.copyOf(world.hosts())) {
      if (world.chance().onceIn(2)) {
        affect(host);
      }
    }
    boolean atomic = world.chance().onceIn(3);
    world.time().after(LOOK_AGAIN, () -> awaitPrepared(atomic));
  }

  private void affect(SimHost host) {
    if (host.state() instanceof Stopped) {
      world.beginAgain(host);
      return;
    }
    if (world.chance().onceIn(6)) {
      host.tell(new RemovalAsked(world.drainDeadline()));
      return;
    }
    if (host.state() instanceof Failed && world.chance().onceIn(2)) {
      host.tell(new RetryAsked());
      return;
    }
    int generation = host.life().nextGeneration();
    host.tell(new ConfigurationAccepted(generation));
    affected.add(new Affected(host, generation));
  }

  private void awaitPrepared(boolean atomic) {
    if (affected.stream().anyMatch(SimReloader::isPreparing)) {
      world.time().after(LOOK_AGAIN, () -> awaitPrepared(atomic));
      return;
    }
    boolean off =
        atomic
            && affected.stream()
                .anyMatch(one -> one.host.state() instanceof Serving && !isReady(one));
    for (var one : affected) {
      if (isReady(one)) {
        one.host.tell(off ? new ReloadCancelled(one.generation) : switchAsked(one));
      } else if (world.chance().onceIn(3)) {
        one.host.tell(switchAsked(one)); // A reloader that has not heard yet.
      }
    }
    awaitEnd();
  }

  private void awaitEnd() {
    if (affected.stream().anyMatch(one -> one.host.state().isUnderReload())) {
      world.time().after(LOOK_AGAIN, this::awaitEnd);
      return;
    }
    running = false;
  }

  private SwitchAsked switchAsked(Affected one) {
    return new SwitchAsked(
        one.generation,
        world.chance().oneOf(WAYS),
        world.chance().oneOf(FALLBACKS),
        world.drainDeadline());
  }

  private static boolean isPreparing(Affected one) {
    return one.host.state() instanceof Serving serving
        && serving.change().equals(new Change.Preparing(one.generation));
  }

  private static boolean isReady(Affected one) {
    return one.host.state() instanceof Serving serving
        && serving.change().equals(new Change.Ready(one.generation));
  }
}
