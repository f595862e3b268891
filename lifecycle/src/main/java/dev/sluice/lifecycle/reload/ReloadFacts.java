package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.Reason.Code;
import dev.sluice.lifecycle.Step;
import java.util.Optional;

/** Reads from the step of a virtual cluster what a reload has to know. */
public final class ReloadFacts {

  private ReloadFacts() {}

  /**
   * What a step means for a reload; empty: nothing. Of a cluster that is prepared, whether the
   * Kafka cluster behind it is the same is not known yet. That somebody else was refused something
   * is none of its affairs.
   */
  public static Optional<ReloadEvent.OfCluster> of(String name, ClusterState before, Step step) {
    return switch (step) {
      case Step.Refused _, Step.Stayed _ -> Optional.empty();
      case Step.Moved(var after, _, var reason) -> moved(name, before, after, reason.sentence());
      case Step.Noted(var after, _, var reason) ->
          noted(name, before, after, reason.code(), reason.sentence());
    };
  }

  /** What the answer to something that a reload itself asked means for it beyond that. */
  public static Optional<ReloadEvent.OfCluster> ofAnswer(String name, Step answer) {
    return answer instanceof Step.Refused(var reason)
        ? Optional.of(new ReloadEvent.Refused(name, reason.sentence()))
        : Optional.empty();
  }

  private static Optional<ReloadEvent.OfCluster> moved(
      String name, ClusterState before, ClusterState after, String why) {
    return switch (after) {
      case Serving(_, Change.None _) ->
          Optional.of(
              before instanceof Initializing(_, _, SetUp.RollBack back, _)
                  ? new ReloadEvent.RolledBack(name, back.cause().cause())
                  : new ReloadEvent.Served(name));
      case Failed _ -> Optional.of(new ReloadEvent.Failed(name, why));
      case Stopped _ -> Optional.of(new ReloadEvent.Gone(name));
      case Serving _, Initializing _, Draining _ -> Optional.empty();
    };
  }

  private static Optional<ReloadEvent.OfCluster> noted(
      String name, ClusterState before, ClusterState after, Code code, String why) {
    if (isReady(after) && !isReady(before)) {
      return Optional.of(
          after instanceof Serving
              ? new ReloadEvent.Prepared(name, UpstreamIdentity.UNKNOWN)
              : new ReloadEvent.BarrierReached(name));
    }
    if (code == Code.PREPARE_FAILED_BESIDE) {
      return Optional.of(new ReloadEvent.PrepareFailed(name, why));
    }
    return isLeaving(before) && !isLeaving(after)
        ? Optional.of(new ReloadEvent.Served(name))
        : Optional.empty();
  }

  private static boolean isReady(ClusterState state) {
    return state instanceof Serving(_, Change.Ready _)
        || (state instanceof Initializing now && now.barrier() == Barrier.REACHED);
  }

  private static boolean isLeaving(ClusterState state) {
    return state instanceof Serving(_, Change.Leaving _);
  }
}
