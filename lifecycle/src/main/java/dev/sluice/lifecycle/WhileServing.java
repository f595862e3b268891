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
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Change.Leaving;
import dev.sluice.lifecycle.ClusterState.Change.None;
import dev.sluice.lifecycle.ClusterState.Change.Preparing;
import dev.sluice.lifecycle.ClusterState.Change.Ready;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.Reason.Code;
import java.time.Instant;
import java.util.List;

/** The row of the table for a cluster that serves. */
final class WhileServing {

  private WhileServing() {}

  static Step on(Serving now, ClusterEvent event) {
    return switch (event) {
      case ConfigurationAccepted(int generation) -> accepted(now, generation);
      case Prepared(int generation, int attempt) -> preparedBeside(now, generation, attempt);
      case PrepareFailed(Failure failure, _) -> failedBeside(now, failure);
      case SwitchAsked asked -> switched(now, asked);
      case ReloadCancelled(int generation) -> cancelled(now, generation);
      case Quiesced(int generation) -> formerLeft(now, generation);
      case DeadlinePassed(Instant deadline) -> formerOverdue(now, deadline);
      case DrainAsked(Instant deadline) -> drainAsked(now, deadline);
      case RemovalAsked(Instant deadline) ->
          draining(
              now,
              new Purpose.Removal(),
              deadline,
              because(Code.REMOVED, "It is no longer configured."));
      case ShutdownAsked(Instant deadline) ->
          draining(
              now,
              new Purpose.Shutdown(),
              deadline,
              because(Code.SHUTDOWN, "The proxy shuts down."));
      case RetryAsked _ -> refusedBy(now, "It serves: there is nothing to retry.");
      case BarrierOpened _ -> stayed(Code.ALREADY_SO, "It serves already.");
      case RetryDue _ -> outdated();
    };
  }

  private static Step accepted(Serving now, int generation) {
    if (now.isUnderReload()) {
      return refused(
          Code.UNDER_RELOAD,
          "A reload or restart of it is under way: ask again when it has ended.");
    }
    if (generation <= now.generation()) {
      return notNewer(generation, now);
    }
    return noted(
        new Serving(now.generation(), new Preparing(generation)),
        because(
            Code.PREPARING_BESIDE,
            "Generation " + generation + " is prepared while " + now.generation() + " serves."),
        new Action.PrepareGeneration(generation, 1));
  }

  private static Step preparedBeside(Serving now, int generation, int attempt) {
    if (!now.change().equals(new Preparing(generation)) || attempt != 1) {
      return outdated();
    }
    return noted(
        new Serving(now.generation(), new Ready(generation)),
        because(Code.PREPARED_BESIDE, "Generation " + generation + " is prepared."));
  }

  private static Step failedBeside(Serving now, Failure failure) {
    if (!now.change().equals(new Preparing(failure.generation())) || failure.attempt() != 1) {
      return outdated();
    }
    return noted(
        new Serving(now.generation(), Change.NONE),
        because(
            Code.PREPARE_FAILED_BESIDE,
            "Generation " + now.generation() + " goes on serving: " + failure.cause()),
        new Action.AbandonSetUp(failure.generation()));
  }

  private static Step switched(Serving now, SwitchAsked asked) {
    int next = asked.generation();
    if (!now.change().equals(new Ready(next))) {
      return refusedNow("Generation " + next + " is not prepared beside the one that serves.");
    }
    return switch (asked.way()) {
      case IN_PLACE ->
          tookOver(
              now,
              asked,
              because(
                  Code.SWITCHED_IN_PLACE,
                  "Generation " + next + " serves on the same connections."));
      case HANDOVER ->
          tookOver(
              now,
              asked,
              because(Code.HANDED_OVER, "Generation " + next + " serves whoever arrives."));
      case DRAIN -> {
        var purpose = new Purpose.Reload(next, asked.fallback());
        yield moved(
            new Draining(now.generation(), purpose, asked.deadline()),
            because(
                Code.RELOAD_NEEDS_DRAIN,
                "Generations " + now.generation() + " and " + next + " must not serve together."),
            new Action.Quiesce(now.generation(), purpose, asked.deadline()));
      }
    };
  }

  private static Step tookOver(Serving now, SwitchAsked asked, Reason reason) {
    return moved(
        new Serving(
            asked.generation(), new Leaving(now.generation(), asked.way(), asked.deadline())),
        reason,
        new Action.TakeOver(now.generation(), asked.generation(), asked.way(), asked.deadline()));
  }

  private static Step cancelled(Serving now, int generation) {
    return switch (now.change()) {
      case Preparing(int next) when next == generation -> givenUp(now, next);
      case Ready(int next) when next == generation -> givenUp(now, next);
      case Leaving _ ->
          refused(Code.UNDER_RELOAD, "The new generation has taken over: that is not undone.");
      case None _, Preparing _, Ready _ -> outdated();
    };
  }

  private static Step givenUp(Serving now, int next) {
    return noted(
        new Serving(now.generation(), Change.NONE),
        because(Code.RELOAD_CANCELLED, "Generation " + now.generation() + " goes on serving."),
        new Action.AbandonSetUp(next));
  }

  private static Step formerLeft(Serving now, int generation) {
    if (!(now.change() instanceof Leaving(int former, _, _)) || former != generation) {
      return outdated();
    }
    return noted(
        new Serving(now.generation(), Change.NONE),
        because(Code.FORMER_LEFT, "No connection of generation " + former + " is left."),
        new Action.ReleaseGeneration(former));
  }

  private static Step formerOverdue(Serving now, Instant passed) {
    if (!(now.change() instanceof Leaving(int former, _, Instant deadline))
        || passed.isBefore(deadline)) {
      return outdated();
    }
    return noted(
        new Serving(now.generation(), Change.NONE),
        because(Code.FORMER_CUT, "What was left of generation " + former + " is cut."),
        new Action.CutConnections(former),
        new Action.ReleaseGeneration(former));
  }

  private static Step drainAsked(Serving now, Instant deadline) {
    if (now.isUnderReload()) {
      return refused(
          Code.UNDER_RELOAD,
          "A reload or restart of it is under way: ask again when it has ended.");
    }
    return draining(
        now,
        new Purpose.Person(),
        deadline,
        because(Code.DRAIN_ASKED, "A person asked for the drain."));
  }

  /** A reload beside it is given up; connections of a generation being left are quiesced too. */
  private static Step draining(Serving now, Purpose purpose, Instant deadline, Reason reason) {
    var quiesce = new Action.Quiesce(now.generation(), purpose, deadline);
    List<Action> actions =
        switch (now.change()) {
          case None _, Leaving _ -> List.of(quiesce);
          case Preparing(int next) -> List.of(new Action.AbandonSetUp(next), quiesce);
          case Ready(int next) -> List.of(new Action.AbandonSetUp(next), quiesce);
        };
    return new Step.Moved(new Draining(now.generation(), purpose, deadline), actions, reason);
  }
}
