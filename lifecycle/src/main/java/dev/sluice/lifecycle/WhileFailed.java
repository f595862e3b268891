package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Steps.because;
import static dev.sluice.lifecycle.Steps.notNewer;
import static dev.sluice.lifecycle.Steps.noted;
import static dev.sluice.lifecycle.Steps.outdated;
import static dev.sluice.lifecycle.Steps.refusedNow;
import static dev.sluice.lifecycle.Steps.stayed;

import dev.sluice.lifecycle.ClusterEvent.BarrierOpened;
import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.DeadlinePassed;
import dev.sluice.lifecycle.ClusterEvent.DrainAsked;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.Prepared;
import dev.sluice.lifecycle.ClusterEvent.Quiesced;
import dev.sluice.lifecycle.ClusterEvent.ReloadCancelled;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryDue;
import dev.sluice.lifecycle.ClusterEvent.ShutdownAsked;
import dev.sluice.lifecycle.ClusterEvent.SwitchAsked;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.Reason.Code;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The row of the table for a cluster that could not be set up. It holds nothing. */
final class WhileFailed {

  private WhileFailed() {}

  static Step on(Failed now, ClusterEvent event) {
    return switch (event) {
      case ConfigurationAccepted(int generation) -> reconfigured(now, generation);
      case RetryAsked _ ->
          setUp(
              now,
              new Initializing(now.generation(), 1, new SetUp.Fresh(), now.barrier()),
              because(Code.RETRY_ASKED, "It is tried again, as asked."));
      case RetryDue(Instant scheduledFor) -> retryDue(now, scheduledFor);
      case RemovalAsked _ ->
          stopped(
              now, Ending.REMOVED, because(Code.REMOVED, "It was removed while it had failed."));
      case ShutdownAsked _ ->
          stopped(
              now,
              Ending.SHUT_DOWN,
              because(Code.SHUTDOWN, "The proxy shuts down while it had failed."));
      case BarrierOpened _ -> barrierOpened(now);
      case DrainAsked _ -> refusedNow("It has failed: nobody is served who could be drained.");
      case SwitchAsked _, ReloadCancelled _ ->
          refusedNow("It has failed: there is nothing beside it to switch to or to give up.");
      case Prepared _, PrepareFailed _, Quiesced _, DeadlinePassed _ -> outdated();
    };
  }

  private static Step reconfigured(Failed now, int generation) {
    if (generation <= now.generation()) {
      return notNewer(generation, now);
    }
    return setUp(
        now,
        new Initializing(generation, 1, new SetUp.Fresh(), now.barrier()),
        because(Code.CONFIGURATION_CHANGED, "It is tried with another configuration."));
  }

  /** Only the retry that is scheduled: after exhaustion there is none, and a former one is void. */
  private static Step retryDue(Failed now, Instant scheduledFor) {
    if (!now.recovery().equals(new Recovery.RetryAt(scheduledFor))) {
      return outdated();
    }
    int attempt = now.attempts() + 1;
    return Steps.moved(
        new Initializing(now.generation(), attempt, new SetUp.Fresh(), now.barrier()),
        because(Code.RETRY_DUE, "It is tried again: attempt " + attempt + "."),
        new Action.PrepareGeneration(now.generation(), attempt));
  }

  private static Step setUp(Failed now, Initializing next, Reason reason) {
    var actions = cancelled(now);
    actions.add(new Action.PrepareGeneration(next.generation(), next.attempt()));
    return new Step.Moved(next, actions, reason);
  }

  private static Step stopped(Failed now, Ending ending, Reason reason) {
    return new Step.Moved(
        new Stopped(now.generation(), ending, Optional.of(now.failure())), cancelled(now), reason);
  }

  private static Step barrierOpened(Failed now) {
    return now.barrier() == Barrier.OPEN
        ? stayed(Code.ALREADY_SO, "No barrier holds it back.")
        : noted(
            new Failed(now.failure(), now.recovery(), Barrier.OPEN),
            because(Code.BARRIER_OPENED, "Once retried it serves as soon as it is prepared."));
  }

  private static List<Action> cancelled(Failed now) {
    var actions = new ArrayList<Action>();
    if (now.recovery() instanceof Recovery.RetryAt) {
      actions.add(new Action.CancelRetry());
    }
    return actions;
  }
}
