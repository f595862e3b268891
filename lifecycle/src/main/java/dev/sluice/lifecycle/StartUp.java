package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import java.util.Collection;

/** When the first client may be served, decided over all clusters. */
public final class StartUp {

  private StartUp() {}

  /** With which barrier the lives begin that begin when the proxy starts. */
  public static Barrier barrier(Serve serve) {
    return switch (serve) {
      case NONE -> Barrier.CLOSED;
      case REMAINING -> Barrier.OPEN;
    };
  }

  /**
   * Whether every cluster is prepared, so that {@link ClusterEvent.BarrierOpened} is told to all of
   * them. Stopped ones are not waited for. To be asked after each step until it has opened.
   */
  public static boolean opensBarrier(Collection<ClusterState> states) {
    return states.stream().allMatch(StartUp::isNotWaitedFor);
  }

  private static boolean isNotWaitedFor(ClusterState state) {
    return switch (state) {
      case Initializing now -> now.barrier() == Barrier.REACHED;
      case Failed _ -> false;
      case Serving _, Draining _, Stopped _ -> true;
    };
  }
}
