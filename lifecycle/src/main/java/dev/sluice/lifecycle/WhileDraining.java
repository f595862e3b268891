package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Steps.because;
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
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Purpose.Person;
import dev.sluice.lifecycle.ClusterState.Purpose.Reload;
import dev.sluice.lifecycle.ClusterState.Purpose.Removal;
import dev.sluice.lifecycle.ClusterState.Purpose.Shutdown;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.Reason.Code;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The row of the table for a cluster that drains. */
final class WhileDraining {

  private WhileDraining() {}

  static Step on(Draining now, ClusterEvent event) {
    return switch (event) {
      case Quiesced(int generation) when generation == now.generation() ->
          ended(now, because(Code.QUIESCED, "No connection is left."), List.of());
      case DeadlinePassed(Instant deadline) when !deadline.isBefore(now.deadline()) ->
          ended(
              now,
              because(Code.DEADLINE_PASSED, "The time is up: what was left is cut."),
              List.of(new Action.CutConnections(now.generation())));
      case DrainAsked(Instant deadline) -> drainAsked(now, deadline);
      case RemovalAsked(Instant deadline) ->
          asked(now, new Removal(), deadline, because(Code.REMOVED, "It is no longer configured."));
      case ShutdownAsked(Instant deadline) ->
          asked(now, new Shutdown(), deadline, because(Code.SHUTDOWN, "The proxy shuts down."));
      case ConfigurationAccepted _ ->
          refusedBy(now, "It drains: ask again when the drain has ended.");
      case SwitchAsked _, ReloadCancelled _ -> reloadWentOn(now);
      case RetryAsked _ -> refusedBy(now, "It drains: there is nothing to retry.");
      case BarrierOpened _ -> stayed(Code.ALREADY_SO, "It has served already.");
      case Quiesced _, DeadlinePassed _, Prepared _, PrepareFailed _, RetryDue _ -> outdated();
    };
  }

  private static Step ended(Draining now, Reason reason, List<Action> first) {
    var actions = new ArrayList<>(first);
    return switch (now.purpose()) {
      case Reload(int next, var fallback) -> {
        actions.add(new Action.InstallGeneration(next));
        var until = now.deadline().plus(SetUp.HOLD_BEYOND_DRAIN);
        var setUp = new SetUp.AfterDrain(now.generation(), fallback, until);
        yield new Step.Moved(new Initializing(next, 1, setUp, Barrier.OPEN), actions, reason);
      }
      case Person _ -> stopped(now, Ending.DRAINED, actions, reason);
      case Removal _ -> stopped(now, Ending.REMOVED, actions, reason);
      case Shutdown _ -> stopped(now, Ending.SHUT_DOWN, actions, reason);
    };
  }

  private static Step stopped(Draining now, Ending ending, List<Action> actions, Reason reason) {
    actions.add(new Action.ReleaseEverything());
    return new Step.Moved(new Stopped(now.generation(), ending, Optional.empty()), actions, reason);
  }

  private static Step drainAsked(Draining now, Instant deadline) {
    return now.isUnderReload()
        ? refused(Code.UNDER_RELOAD, "A reload of it is under way: ask again when it has ended.")
        : asked(
            now,
            new Person(),
            deadline,
            because(Code.DRAIN_ASKED, "A person asked for the drain."));
  }

  /** A stronger purpose takes over, the deadline may only come nearer. */
  private static Step asked(Draining now, Purpose purpose, Instant deadline, Reason reason) {
    boolean stronger = purpose.strength() > now.purpose().strength();
    boolean nearer = deadline.isBefore(now.deadline());
    var kept = stronger ? purpose : now.purpose();
    var actions = new ArrayList<Action>();
    if (stronger && now.purpose() instanceof Reload(int next, _)) {
      actions.add(new Action.AbandonSetUp(next));
    }
    if (stronger) {
      actions.add(new Action.ChangePurpose(purpose));
    }
    if (nearer) {
      actions.add(new Action.TightenDeadline(deadline));
    }
    var next = new Draining(now.generation(), kept, nearer ? deadline : now.deadline());
    if (stronger) {
      return new Step.Moved(next, actions, reason);
    }
    return nearer
        ? new Step.Noted(
            next, actions, because(Code.DEADLINE_TIGHTENED, "It has to be drained sooner."))
        : stayed(Code.ALREADY_SO, "It drains already, and as soon as that.");
  }

  /** Removal, shutdown or a person overtook the reload, or the reload itself asks twice. */
  private static Step reloadWentOn(Draining now) {
    return now.purpose() instanceof Reload
        ? refusedNow("The switch is under way: it is not asked for twice, and not undone.")
        : outdated();
  }
}
