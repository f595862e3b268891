package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;

/**
 * The life of a virtual cluster as one total function: the same state and the same event give the
 * same step, always. No clock, no chance, no memory. Each state has a switch over all events; a new
 * state or event does not compile until every pair has an answer.
 */
public final class Lifecycle {

  private Lifecycle() {}

  /** What follows from an event in a state. Never throws. */
  public static Step on(ClusterState state, ClusterEvent event) {
    return switch (state) {
      case Initializing now -> WhileInitializing.on(now, event);
      case Serving now -> WhileServing.on(now, event);
      case Draining now -> WhileDraining.on(now, event);
      case Failed now -> WhileFailed.on(now, event);
      case Stopped now -> WhileStopped.on(now, event);
    };
  }
}
