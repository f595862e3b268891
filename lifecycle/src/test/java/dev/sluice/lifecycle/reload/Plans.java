package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState;
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
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.reload.ClusterChange.Added;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterChange.Removed;
import dev.sluice.lifecycle.reload.ClusterChange.Retried;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The words in which these tests speak. */
final class Plans {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final ClusterState SERVING = new Serving(3, Change.NONE);
  static final ClusterState INITIALIZING = new Initializing(1, 1, new SetUp.Fresh(), Barrier.OPEN);
  static final ClusterState DRAINING = new Draining(3, new Purpose.Person(), NOON);
  static final ClusterState FAILED =
      new Failed(
          new Failure(NOON, 3, 1, "port-busy", "Port 9192 is taken."),
          new Recovery.Exhausted(),
          Barrier.OPEN);
  static final ClusterState DRAINED = new Stopped(3, Ending.DRAINED, Optional.empty());
  static final ClusterState REMOVED = new Stopped(3, Ending.REMOVED, Optional.empty());

  static final ReloadPolicy ATOMIC =
      new ReloadPolicy(Mode.ATOMIC, Strategy.LEAST_DISRUPTIVE, Fallback.ROLL_BACK);
  static final ReloadPolicy KEEP_NEW =
      new ReloadPolicy(Mode.BEST_EFFORT, Strategy.LEAST_DISRUPTIVE, Fallback.KEEP_NEW);

  private Plans() {}

  static Blueprint blueprint(String limits, String upstream, int port) {
    return new Blueprint(
        Map.of(
            Aspect.LIMITS, limits,
            Aspect.UPSTREAM_ADDRESSES, upstream,
            Aspect.GATEWAYS, "localhost:" + port),
        new TreeSet<>(Set.of(new Place("", port))));
  }

  static Changed changed(String name, Aspect... aspects) {
    return new Changed(name, Set.of(aspects), true, new TreeSet<>());
  }

  static Changed changedAfter(String name, String gone) {
    return new Changed(name, Set.of(Aspect.GATEWAYS), true, new TreeSet<>(Set.of(gone)));
  }

  static Changed notServing(String name) {
    return new Changed(name, Set.of(Aspect.LIMITS), false, new TreeSet<>());
  }

  static Added added(String name) {
    return new Added(name, new TreeSet<>(), Optional.empty());
  }

  static Added renamed(String from, String to) {
    return new Added(to, new TreeSet<>(Set.of(from)), Optional.of(from));
  }

  static Removed removed(String name) {
    return new Removed(name);
  }

  static Retried retried(String name) {
    return new Retried(name, new TreeSet<>());
  }

  static ReloadPlan plan(ClusterChange... changes) {
    return new ReloadPlan(List.of(changes), List.of(), Optional.empty());
  }
}
