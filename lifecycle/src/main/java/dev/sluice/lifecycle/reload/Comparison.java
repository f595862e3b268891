package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.reload.ClusterChange.Added;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterChange.Removed;
import dev.sluice.lifecycle.reload.ClusterChange.Retried;
import dev.sluice.lifecycle.reload.ClusterChange.Unchanged;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Holds what is asked for against what is actually running. */
public final class Comparison {

  private final SortedMap<String, Present> running = new TreeMap<>();
  private final SortedMap<String, Present> leaving = new TreeMap<>();
  private final SortedMap<String, Blueprint> asked;

  private Comparison(Collection<Present> present, SortedMap<String, Blueprint> asked) {
    this.asked = asked;
    for (var one : present) {
      if (!isForgotten(one.state())) {
        running.put(one.name(), one);
        if (!asked.containsKey(one.name())) {
          leaving.put(one.name(), one);
        }
      }
    }
  }

  /**
   * What kind of change each virtual cluster is in for. Never fails.
   *
   * @param present every cluster that there is, stopped ones too
   * @param asked by name
   */
  public static ReloadPlan of(Collection<Present> present, SortedMap<String, Blueprint> asked) {
    return new Comparison(present, asked).plan();
  }

  private ReloadPlan plan() {
    var changes = new TreeMap<String, ClusterChange>();
    leaving.keySet().forEach(name -> changes.put(name, new Removed(name)));
    asked.forEach((name, blueprint) -> changes.put(name, change(name, blueprint)));
    return new ReloadPlan(
        new ArrayList<>(changes.values()), warnings(changes), Deadlock.among(changes));
  }

  private ClusterChange change(String name, Blueprint wanted) {
    var now = Optional.ofNullable(running.get(name));
    if (now.isEmpty()) {
      return new Added(name, formerOwners(name, wanted), renamedFrom(wanted));
    }
    var aspects = wanted.differences(now.get().blueprint());
    return switch (now.get().state()) {
      case Failed _ when aspects.isEmpty() -> new Retried(name, formerOwners(name, wanted));
      case Stopped _ when !aspects.isEmpty() ->
          new Added(name, formerOwners(name, wanted), Optional.empty());
      case Initializing _, Serving _, Draining _, Failed _, Stopped _ ->
          aspects.isEmpty()
              ? new Unchanged(name)
              : new Changed(name, aspects, isBeside(now.get().state()), formerOwners(name, wanted));
    };
  }

  private static boolean isBeside(ClusterState state) {
    return state instanceof Serving || state instanceof Draining;
  }

  /** Who listens where this one wants to, and goes, or goes elsewhere: only then it is free. */
  private SortedSet<String> formerOwners(String name, Blueprint wanted) {
    var fresh =
        Optional.ofNullable(running.get(name))
            .filter(Comparison::listens)
            .map(now -> wanted.placesBeyond(now.blueprint()))
            .orElse(wanted.places());
    var owners = new TreeSet<String>();
    running.forEach(
        (other, present) -> {
          if (!other.equals(name) && givenUp(present).stream().anyMatch(one -> meets(one, fresh))) {
            owners.add(other);
          }
        });
    return owners;
  }

  private static boolean meets(Place one, SortedSet<Place> others) {
    return others.stream().anyMatch(one::meets);
  }

  /** Places that a cluster listens at now, and is to leave. */
  private SortedSet<Place> givenUp(Present present) {
    var next = asked.get(present.name());
    if (next == null) {
      return present.blueprint().places();
    }
    return listens(present) ? present.blueprint().placesBeyond(next) : Collections.emptySortedSet();
  }

  private static boolean listens(Present present) {
    return !(present.state() instanceof Failed || present.state() instanceof Stopped);
  }

  private Optional<String> renamedFrom(Blueprint wanted) {
    return leaving.values().stream()
        .filter(other -> wanted.looksLike(other.blueprint()))
        .map(Present::name)
        .findFirst();
  }

  private static List<String> warnings(Map<String, ClusterChange> changes) {
    var warnings = new ArrayList<String>();
    for (var change : changes.values()) {
      if (change instanceof Added(var name, _, var from) && from.isPresent()) {
        warnings.add(
            name
                + " looks like "
                + from.get()
                + " under another name. A name is an identity: "
                + from.get()
                + " is drained and removed, and then "
                + name
                + " begins; its clients are served by neither in between.");
      }
    }
    return warnings;
  }

  /** One that a person drained is still configured; one that was removed is not. */
  private static boolean isForgotten(ClusterState state) {
    return state instanceof Stopped(_, var ending, _) && ending != Ending.DRAINED;
  }
}
