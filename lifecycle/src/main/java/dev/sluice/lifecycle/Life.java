package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Stopped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything that is known of one life of a virtual cluster, as one immutable value: what a shell
 * keeps in a volatile field, and what views show. The next one comes from {@link #on}.
 *
 * @param name of the virtual cluster
 * @param since when the present kind of state began; a new generation does not start it anew
 * @param reason of the last change, noted ones included
 * @param newestGeneration the highest one that was accepted in this life, whatever became of it
 * @param hasServed whether it was ever serving in this life
 * @param lastFailure the last set-up that failed in this life, whether or not the cluster did
 * @param former how the life before this one ended, if there was one
 */
public record Life(
    String name,
    ClusterState state,
    Instant since,
    Reason reason,
    History history,
    int newestGeneration,
    boolean hasServed,
    Optional<Failure> lastFailure,
    Optional<Former> former) {

  /** How the life before ended. */
  public record Former(Instant endedAt, Ending ending, Reason reason) {}

  /** A life and the step that led to it. The shell obeys {@code step.actions()} in order. */
  public record Lived(Life life, Step step) {}

  /** A first life begins, with generation 1; its step says to prepare it. */
  public static Lived begin(String name, Barrier barrier, Instant at) {
    return begin(name, barrier, at, Optional.empty());
  }

  /** The name comes back: a new life, after this one that is stopped. */
  public Lived beginAgain(Barrier barrier, Instant at) {
    if (!(state instanceof Stopped stopped)) {
      throw new IllegalStateException(
          "expected "
              + name
              + " to be stopped before it begins a new life, found "
              + state.kind().label()
              + "; wait until it is stopped");
    }
    return begin(name, barrier, at, Optional.of(new Former(since, stopped.ending(), reason)));
  }

  private static Lived begin(String name, Barrier barrier, Instant at, Optional<Former> former) {
    var reason = new Reason(Reason.Code.FIRST_CONFIGURATION, "Its first configuration is set up.");
    var state = new Initializing(1, 1, new SetUp.Fresh(), barrier);
    var life = new Life(name, state, at, reason, History.EMPTY, 1, false, Optional.empty(), former);
    return new Lived(
        life, new Step.Noted(state, List.of(new Action.PrepareGeneration(1, 1)), reason));
  }

  /** What this life becomes, and what has to be done for it. */
  public Lived on(ClusterEvent event, Instant at) {
    var step = Lifecycle.on(state, event);
    return new Lived(after(step, event, at), step);
  }

  /** What this life becomes by a step that was decided elsewhere. */
  public Life after(Step step, ClusterEvent event, Instant at) {
    return switch (step) {
      case Step.Moved moved -> moved(moved, event, at);
      case Step.Noted noted -> changed(noted.state(), noted.reason(), history, event, at);
      case Step.Stayed _, Step.Refused _ -> this;
    };
  }

  /** The generation that the state is about. */
  public int generation() {
    return state.generation();
  }

  /** The number for the next {@link ConfigurationAccepted}. */
  public int nextGeneration() {
    return newestGeneration + 1;
  }

  private Life moved(Step.Moved moved, ClusterEvent event, Instant at) {
    var next = moved.state();
    var transition =
        new Transition(at, state.kind(), next.kind(), moved.reason(), next.generation());
    return changed(next, moved.reason(), history.with(transition), event, at);
  }

  private Life changed(
      ClusterState next, Reason why, History entries, ClusterEvent event, Instant at) {
    return new Life(
        name,
        next,
        next.kind() == state.kind() ? since : at,
        why,
        entries,
        event instanceof ConfigurationAccepted(int accepted) ? accepted : newestGeneration,
        hasServed || next instanceof Serving,
        event instanceof PrepareFailed(Failure failure, _) ? Optional.of(failure) : lastFailure,
        former);
  }
}
