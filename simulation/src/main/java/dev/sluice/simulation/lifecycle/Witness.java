package dev.sluice.simulation.lifecycle;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.DrainAsked;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryDue;
import dev.sluice.lifecycle.ClusterEvent.ShutdownAsked;
import dev.sluice.lifecycle.ClusterEvent.SwitchAsked;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Change.Leaving;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Step;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps its own book of one life (what was asked, how often it failed, which deadlines were given)
 * and holds every step against it.
 */
final class Witness {

  private final int maxRetries;
  private boolean endAsked;
  private int failuresSinceAsked;
  private Instant promise = Instant.MAX;

  /**
   * @param maxRetries of the policy; 0 for none, a large number for ever
   */
  Witness(int maxRetries) {
    this.maxRetries = maxRetries;
  }

  /** Whether the policy has no retry left for it. */
  boolean isExhausted() {
    return failuresSinceAsked > maxRetries;
  }

  void saw(ClusterState before, ClusterEvent event, Step step) {
    var after = step.stateAfter(before);
    writeDown(before, event, step, after);
    if (before instanceof Stopped) {
      Invariant.STOPPED_IS_FINAL.require(after.equals(before), () -> "it became " + after);
    } else if (after instanceof Stopped) {
      Invariant.A_RELOAD_NEVER_STOPS.require(endAsked, () -> before + " stopped on " + event);
    }
    if (step instanceof Step.Moved) {
      checkMove(before, event, after);
    }
  }

  /** Whatever happens elsewhere: no deadline is overrun. */
  void looked(ClusterState state, Instant now) {
    boolean bound =
        state instanceof Draining
            || (state instanceof Serving serving && serving.change() instanceof Leaving);
    if (bound && now.isAfter(promise)) {
      throw Invariant.A_DRAIN_ENDS_BY_ITS_DEADLINE.broken(
          state + " at " + now + ", promised for " + promise);
    }
  }

  private void checkMove(ClusterState before, ClusterEvent event, ClusterState after) {
    if (after instanceof Failed && !(before instanceof Failed)) {
      Invariant.FAILURES_STAY_AT_HOME.require(
          before instanceof Initializing && event instanceof PrepareFailed,
          () -> before + " failed on " + event);
    }
    if (before instanceof Serving && !(after instanceof Serving)) {
      Invariant.FAILURES_STAY_AT_HOME.require(
          asksToLeaveServing(event), () -> before + " became " + after + " on " + event);
    }
    if (event instanceof RetryDue && after instanceof Initializing) {
      Invariant.NO_RETRY_AFTER_EXHAUSTION.require(
          !isExhausted(), () -> "retried after " + failuresSinceAsked + " failures");
    }
  }

  private static boolean asksToLeaveServing(ClusterEvent event) {
    return switch (event) {
      case DrainAsked _, RemovalAsked _, ShutdownAsked _ -> true;
      case SwitchAsked asked -> asked.way() == Way.DRAIN;
      default -> false;
    };
  }

  private void writeDown(ClusterState before, ClusterEvent event, Step step, ClusterState after) {
    if (step instanceof Step.Refused) {
      return;
    }
    boolean moved = step instanceof Step.Moved;
    switch (event) {
      case DrainAsked _, RemovalAsked _, ShutdownAsked _ -> endAsked = true;
      case RetryAsked _, ConfigurationAccepted _ -> failuresSinceAsked = 0;
      case PrepareFailed _ when moved && after instanceof Failed -> failuresSinceAsked++;
      default -> {}
    }
    if (moved || !(event instanceof SwitchAsked)) {
      deadline(event).ifPresent(given -> promise = nearer(before, given));
    }
  }

  /** A drain that is under way may only be shortened. */
  private Instant nearer(ClusterState before, Instant given) {
    return before instanceof Draining && promise.isBefore(given) ? promise : given;
  }

  private static Optional<Instant> deadline(ClusterEvent event) {
    return switch (event) {
      case DrainAsked(Instant given) -> Optional.of(given);
      case RemovalAsked(Instant given) -> Optional.of(given);
      case ShutdownAsked(Instant given) -> Optional.of(given);
      case SwitchAsked asked -> Optional.of(asked.deadline());
      default -> Optional.empty();
    };
  }
}
