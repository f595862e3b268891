package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.ClusterChange;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.lifecycle.reload.Course;
import dev.sluice.lifecycle.reload.Mode;
import dev.sluice.lifecycle.reload.Present;
import dev.sluice.lifecycle.reload.ReloadState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps its own book (who asked, what ran before, whom a reload touched) and holds the outcome of
 * every reload against it.
 */
final class ReloadWitness {

  private final SimReloadProxy proxy;
  private final Set<Long> unanswered = new HashSet<>();
  private final Map<String, Blueprint> ranBefore = new HashMap<>();
  private final Set<String> untouchable = new TreeSet<>();
  private final Set<String> leaving = new TreeSet<>();
  private long newestAsked;

  ReloadWitness(SimReloadProxy proxy) {
    this.proxy = proxy;
  }

  void asked(long number) {
    unanswered.add(number);
    newestAsked = number;
  }

  void superseded(long number) {
    answered(number);
    ReloadInvariant.THE_NEWEST_RUNS.require(
        number < newestAsked, () -> number + " is superseded by none");
  }

  /** It waited, and the proxy has shut down. */
  void tooLate(long number) {
    answered(number);
  }

  private void answered(long number) {
    ReloadInvariant.ANSWERED_ONCE.require(
        unanswered.remove(number), () -> "a second answer to " + number);
  }

  void began(SimReloadProxy.Asked one) {
    ReloadInvariant.THE_NEWEST_RUNS.require(
        one.number() == newestAsked, () -> one.number() + " starts, asked was " + newestAsked);
    ranBefore.clear();
    untouchable.clear();
    leaving.clear();
    proxy.clusters().forEach((name, cluster) -> look(name, cluster, one));
  }

  private void look(String name, SimReloadCluster cluster, SimReloadProxy.Asked one) {
    var running = cluster.running();
    running.ifPresent(blueprint -> ranBefore.put(name, blueprint));
    if (running.isPresent() && running.equals(Optional.ofNullable(one.wanted().get(name)))) {
      untouchable.add(name);
    }
    if (!cluster.holdsNothing() && leaves(cluster.present(), one.wanted().get(name))) {
      leaving.add(name);
    }
  }

  private static boolean leaves(Present now, @Nullable Blueprint next) {
    return next == null || !next.places().containsAll(now.blueprint().places());
  }

  /** A reload asked something of a cluster. */
  void acted(String name) {
    ReloadInvariant.THE_UNAFFECTED_GET_NO_ACTION.require(
        !untouchable.contains(name), () -> name + " ran as configured");
  }

  /** A person asked something of a cluster: it need not run on as it did. */
  void touched(String name) {
    untouchable.remove(name);
  }

  /** A preparation finds its port held by another cluster; a retry by policy may, at any time. */
  void portHeld(String forWhom, String holder) {
    boolean stillThere = leaving.contains(holder) && proxy.course(holder).isPresent();
    boolean begun = proxy.course(forWhom).filter(one -> !(one instanceof Course.Held)).isPresent();
    ReloadInvariant.PORTS_ARE_FREED_FIRST.require(
        !stillThere || !begun,
        () -> forWhom + " is prepared while " + holder + " holds its port, and leaves it");
  }

  void ended(SimReloadProxy.Asked one, ReloadState state) {
    answered(one.number());
    if (proxy.isDown()) {
      return;
    }
    state.courses().forEach((name, course) -> checkEnd(one, name, course));
    untouchable.forEach(name -> checkRuns(name, Objects.requireNonNull(ranBefore.get(name))));
    if (one.policy().mode() == Mode.ATOMIC) {
      checkAtomic(state);
    }
  }

  private void checkEnd(SimReloadProxy.Asked one, String name, Course course) {
    if (!(course instanceof Course.Ended(_, var outcome))) {
      throw ReloadInvariant.RUNS_THE_NEWEST_OR_ITS_ROLL_BACK.broken(name + " is at " + course);
    }
    switch (outcome) {
      case ClusterOutcome.Switched _, ClusterOutcome.Begun _ ->
          checkRuns(name, Objects.requireNonNull(one.wanted().get(name)));
      case ClusterOutcome.Gone _, ClusterOutcome.NotAdded _ ->
          ReloadInvariant.RUNS_THE_NEWEST_OR_ITS_ROLL_BACK.require(
              !proxy.clusters().containsKey(name)
                  || cluster(name).life().state() instanceof Stopped,
              () -> name + " is not gone: " + cluster(name).life().state());
      case ClusterOutcome.Kept _, ClusterOutcome.RolledBack _ -> {
        // One that waited for ports may have begun to serve meanwhile.
        if (ranBefore.containsKey(name) || course.change().waitsFor().isEmpty()) {
          checkRunsAsBefore(name);
        }
      }
      case ClusterOutcome.Cancelled _ -> {
        if (ranBefore.containsKey(name)) {
          checkRunsAsBefore(name);
        }
      }
      case ClusterOutcome.Failed _, ClusterOutcome.Refused _, ClusterOutcome.CutShort _ -> {}
    }
  }

  private void checkRunsAsBefore(String name) {
    var before = ranBefore.get(name);
    if (before == null) {
      throw ReloadInvariant.RUNS_THE_NEWEST_OR_ITS_ROLL_BACK.broken(name + " did not run before");
    }
    checkRuns(name, before);
  }

  private void checkRuns(String name, Blueprint expected) {
    var cluster = cluster(name);
    var settled =
        cluster.life().state() instanceof Serving serving && serving.change().equals(Change.NONE);
    ReloadInvariant.RUNS_THE_NEWEST_OR_ITS_ROLL_BACK.require(
        settled && cluster.running().equals(Optional.of(expected)),
        () -> name + " is " + cluster.life().state() + ", runs " + cluster.running());
  }

  /** What waited for ports is prepared after the commit; what served nobody is set up at once. */
  private static void checkAtomic(ReloadState state) {
    var kept = state.courses().values().stream().filter(ReloadWitness::wasKept).findFirst();
    if (kept.isEmpty()) {
      return;
    }
    for (var course : state.courses().values()) {
      ReloadInvariant.ATOMIC_IS_ALL_OR_NONE.require(
          !(course instanceof Course.Ended(_, ClusterOutcome.Switched _))
              && !(course instanceof Course.Ended(_, ClusterOutcome.Gone _)),
          () -> course + " beside " + kept);
    }
  }

  private static boolean wasKept(Course course) {
    return course instanceof Course.Ended(ClusterChange.Changed change, ClusterOutcome.Kept _)
        && change.after().isEmpty();
  }

  private SimReloadCluster cluster(String name) {
    return Objects.requireNonNull(proxy.clusters().get(name), name);
  }

  void checkAllAnswered() {
    ReloadInvariant.ANSWERED_ONCE.require(unanswered.isEmpty(), () -> "no answer to " + unanswered);
  }
}
