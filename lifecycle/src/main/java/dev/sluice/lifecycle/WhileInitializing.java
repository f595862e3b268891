package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Steps.because;
import static dev.sluice.lifecycle.Steps.moved;
import static dev.sluice.lifecycle.Steps.notNewer;
import static dev.sluice.lifecycle.Steps.noted;
import static dev.sluice.lifecycle.Steps.outdated;
import static dev.sluice.lifecycle.Steps.refused;
import static dev.sluice.lifecycle.Steps.refusedBy;
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
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.SetUp.AfterDrain;
import dev.sluice.lifecycle.ClusterState.SetUp.Fresh;
import dev.sluice.lifecycle.ClusterState.SetUp.RollBack;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.Reason.Code;
import java.util.Optional;

/** The row of the table for a cluster that is being set up. */
final class WhileInitializing {

  private WhileInitializing() {}

  static Step on(Initializing now, ClusterEvent event) {
    return switch (event) {
      case ConfigurationAccepted(int generation) -> newer(now, generation);
      case Prepared answer -> prepared(now, answer);
      case PrepareFailed answer -> prepareFailed(now, answer);
      case BarrierOpened _ -> barrierOpened(now);
      case SwitchAsked _, ReloadCancelled _ ->
          refusedNow("It is being set up: there is nothing beside it to switch to or to give up.");
      case RetryAsked _ -> refusedBy(now, "It is being set up already.");
      case DrainAsked _ ->
          refusedBy(now, "It is being set up: nobody is served who could be drained.");
      case RemovalAsked _ ->
          stopped(
              now,
              Ending.REMOVED,
              because(Code.REMOVED, "It was removed before its set-up ended."));
      case ShutdownAsked _ ->
          stopped(
              now,
              Ending.SHUT_DOWN,
              because(Code.SHUTDOWN, "The proxy shuts down before its set-up ended."));
      case RetryDue _, Quiesced _, DeadlinePassed _ -> outdated();
    };
  }

  private static Step newer(Initializing now, int generation) {
    if (now.setUp() instanceof RollBack) {
      return refused(
          Code.UNDER_RELOAD,
          "It goes back to generation " + now.generation() + ": ask again when it serves.");
    }
    if (generation <= now.generation()) {
      return notNewer(generation, now);
    }
    var barrier = now.barrier() == Barrier.REACHED ? Barrier.CLOSED : now.barrier();
    return moved(
        new Initializing(generation, 1, now.setUp(), barrier),
        because(
            Code.CONFIGURATION_CHANGED,
            "A newer configuration arrived: generation " + now.generation() + " is given up."),
        new Action.AbandonSetUp(now.generation()),
        new Action.PrepareGeneration(generation, 1));
  }

  private static Step prepared(Initializing now, Prepared answer) {
    if (!expects(now, answer.generation(), answer.attempt())) {
      return outdated();
    }
    var serving = new Serving(now.generation(), Change.NONE);
    var admit = new Action.AdmitClients(now.generation());
    return switch (now.setUp()) {
      case Fresh _ when now.barrier() == Barrier.CLOSED ->
          noted(
              new Initializing(now.generation(), now.attempt(), now.setUp(), Barrier.REACHED),
              because(
                  Code.PREPARED_AWAITING_OTHERS,
                  "It is prepared; no port accepts until every cluster is."));
      case Fresh _ -> moved(serving, because(Code.PREPARED, "It is set up."), admit);
      case AfterDrain after ->
          moved(
              serving,
              because(Code.PREPARED, "Its new generation is in the place of the drained one."),
              admit,
              new Action.ReleaseGeneration(after.retained()));
      case RollBack back ->
          moved(
              serving,
              because(
                  Code.ROLLED_BACK,
                  "It is back on the generation that served before: " + back.cause().cause()),
              admit);
    };
  }

  private static Step prepareFailed(Initializing now, PrepareFailed answer) {
    var failure = answer.failure();
    if (!expects(now, failure.generation(), failure.attempt())) {
      return outdated();
    }
    return switch (now.setUp()) {
      case Fresh _ -> failed(now, answer, because(Code.PREPARE_FAILED, failure.cause()));
      case AfterDrain(int retained, Fallback fallback, var until)
          when fallback == Fallback.ROLL_BACK ->
          moved(
              new Initializing(retained, 1, new RollBack(failure, until), now.barrier()),
              because(
                  Code.ROLLING_BACK,
                  "Generation " + now.generation() + " is given up: " + failure.cause()),
              new Action.AbandonSetUp(now.generation()),
              new Action.RestoreGeneration(retained));
      case AfterDrain _ -> failed(now, answer, because(Code.PREPARE_FAILED, failure.cause()));
      case RollBack back ->
          failed(
              now,
              answer,
              because(
                  Code.ROLL_BACK_FAILED,
                  "The new generation failed: "
                      + back.cause().cause()
                      + " So did the one before it: "
                      + failure.cause()));
    };
  }

  private static Step failed(Initializing now, PrepareFailed answer, Reason reason) {
    var failed = new Failed(answer.failure(), answer.recovery(), now.barrier());
    return switch (answer.recovery()) {
      case Recovery.Exhausted _ -> moved(failed, reason, new Action.ReleaseEverything());
      case Recovery.RetryAt(var at) ->
          moved(failed, reason, new Action.ReleaseEverything(), new Action.ScheduleRetry(at));
    };
  }

  private static Step barrierOpened(Initializing now) {
    return switch (now.barrier()) {
      case OPEN -> stayed(Code.ALREADY_SO, "No barrier holds it back.");
      case CLOSED ->
          noted(
              new Initializing(now.generation(), now.attempt(), now.setUp(), Barrier.OPEN),
              because(Code.BARRIER_OPENED, "It serves as soon as it is prepared."));
      case REACHED ->
          moved(
              new Serving(now.generation(), Change.NONE),
              because(Code.BARRIER_OPENED, "Every cluster is prepared."),
              new Action.AdmitClients(now.generation()));
    };
  }

  private static Step stopped(Initializing now, Ending ending, Reason reason) {
    return moved(
        new Stopped(now.generation(), ending, Optional.empty()),
        reason,
        new Action.ReleaseEverything());
  }

  private static boolean expects(Initializing now, int generation, int attempt) {
    return now.barrier() != Barrier.REACHED
        && now.generation() == generation
        && now.attempt() == attempt;
  }
}
