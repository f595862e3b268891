package dev.sluice.simulation.lifecycle;

import dev.sluice.lifecycle.Action;
import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterEvent.DeadlinePassed;
import dev.sluice.lifecycle.ClusterEvent.Prepared;
import dev.sluice.lifecycle.ClusterEvent.Quiesced;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.ShutdownAsked;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Aftermath;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Decisions that are wrong on purpose, each with the invariant that has to catch it. */
final class Mutants {

  /**
   * A wrong decision.
   *
   * @param name what it does wrong
   * @param caughtBy the invariant that has to catch it
   */
  record Mutant(String name, Invariant caughtBy, Supplier<Decisions> decisions) {
    @Override
    public String toString() {
      return name;
    }
  }

  private Mutants() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "a quiesced reload stops", Invariant.A_RELOAD_NEVER_STOPS, QuiescedReloadStops::new),
        new Mutant(
            "a stopped cluster is retried", Invariant.STOPPED_IS_FINAL, StoppedIsRetried::new),
        new Mutant(
            "a failure releases nothing",
            Invariant.FAILED_HOLDS_NOTHING,
            () -> new Forgets(Action.ReleaseEverything.class::isInstance)),
        new Mutant(
            "an old generation is not released",
            Invariant.RELEASED_ONCE,
            () -> new Forgets(Action.ReleaseGeneration.class::isInstance)),
        new Mutant(
            "an abandoned set up is not released",
            Invariant.RELEASED_ONCE,
            () -> new Forgets(Action.AbandonSetUp.class::isInstance)),
        new Mutant(
            "an old generation is released twice", Invariant.RELEASED_ONCE, ReleasesTwice::new),
        new Mutant(
            "a failure takes another cluster down",
            Invariant.FAILURES_STAY_AT_HOME,
            FailureSpreads::new),
        new Mutant(
            "a deadline is ignored", Invariant.A_DRAIN_ENDS_BY_ITS_DEADLINE, IgnoresDeadline::new),
        new Mutant(
            "a shutdown does not shorten a drain",
            Invariant.A_DRAIN_ENDS_BY_ITS_DEADLINE,
            IgnoresNearerDeadline::new),
        new Mutant(
            "the barrier opens for the first",
            Invariant.NOBODY_BEFORE_THE_BARRIER,
            OpensForAny::new),
        new Mutant(
            "the barrier is overlooked",
            Invariant.NOBODY_BEFORE_THE_BARRIER,
            OverlooksBarrier::new),
        new Mutant("the barrier never opens", Invariant.EVERYTHING_SETTLES, NeverOpens::new),
        new Mutant(
            "retries are never exhausted",
            Invariant.NO_RETRY_AFTER_EXHAUSTION,
            RetriesForEver::new),
        new Mutant(
            "the proxy goes down at any failure", Invariant.DOWN_ONLY_BY_POLICY, DownAtOnce::new),
        new Mutant("the proxy never goes down", Invariant.EVERYTHING_SETTLES, NeverDown::new),
        new Mutant(
            "a generation serves before it is prepared",
            Invariant.ONLY_PREPARED_ONES_SERVE,
            SwitchesTooEarly::new),
        new Mutant(
            "a late answer is believed",
            Invariant.ONLY_PREPARED_ONES_SERVE,
            BelievesLateAnswers::new),
        new Mutant(
            "a due retry is forgotten",
            Invariant.EVERYTHING_SETTLES,
            () -> new Forgets(Action.ScheduleRetry.class::isInstance)));
  }

  private static Step as(Step step, ClusterState state, Action... actions) {
    return new Step.Moved(state, List.of(actions), step.reason());
  }

  private static final class QuiescedReloadStops implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      var real = Decisions.super.on(cluster, state, event);
      return state instanceof Draining(int generation, Purpose.Reload _, _)
              && event instanceof Quiesced
          ? as(
              real,
              new Stopped(generation, Ending.DRAINED, Optional.empty()),
              new Action.ReleaseEverything())
          : real;
    }
  }

  private static final class StoppedIsRetried implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      var real = Decisions.super.on(cluster, state, event);
      return state instanceof Stopped && event instanceof RetryAsked
          ? as(
              real,
              new Initializing(state.generation(), 1, new SetUp.Fresh(), Barrier.OPEN),
              new Action.PrepareGeneration(state.generation(), 1))
          : real;
    }
  }

  private record Forgets(Predicate<Action> what) implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      return withActions(
          Decisions.super.on(cluster, state, event),
          actions -> actions.stream().filter(what.negate()).toList());
    }
  }

  private static final class ReleasesTwice implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      return withActions(
          Decisions.super.on(cluster, state, event),
          actions -> {
            var doubled = new ArrayList<Action>(actions);
            actions.stream()
                .filter(Action.ReleaseGeneration.class::isInstance)
                .forEach(doubled::add);
            return doubled;
          });
    }
  }

  private static final class FailureSpreads implements Decisions {
    private Optional<String> failed = Optional.empty();
    private Optional<Failed> failure = Optional.empty();

    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      var real = Decisions.super.on(cluster, state, event);
      if (real instanceof Step.Moved(Failed entered, _, _)) {
        failed = Optional.of(cluster);
        failure = Optional.of(entered);
      }
      return state instanceof Serving && failed.filter(name -> !name.equals(cluster)).isPresent()
          ? as(real, failure.orElseThrow(), new Action.ReleaseEverything())
          : real;
    }
  }

  private static final class IgnoresDeadline implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      var real = Decisions.super.on(cluster, state, event);
      return event instanceof DeadlinePassed ? new Step.Stayed(real.reason()) : real;
    }
  }

  private static final class IgnoresNearerDeadline implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      return state instanceof Draining draining && event instanceof ShutdownAsked
          ? Decisions.super.on(cluster, state, new ShutdownAsked(draining.deadline()))
          : Decisions.super.on(cluster, state, event);
    }
  }

  private static final class OpensForAny implements Decisions {
    @Override
    public boolean opensBarrier(Collection<ClusterState> states) {
      return states.stream().anyMatch(state -> Decisions.super.opensBarrier(List.of(state)));
    }
  }

  private static final class NeverOpens implements Decisions {
    @Override
    public boolean opensBarrier(Collection<ClusterState> states) {
      return false;
    }
  }

  private static final class OverlooksBarrier implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      return state instanceof Initializing(int generation, int attempt, SetUp setUp, _)
              && event instanceof Prepared
          ? Decisions.super.on(
              cluster, new Initializing(generation, attempt, setUp, Barrier.OPEN), event)
          : Decisions.super.on(cluster, state, event);
    }
  }

  private static final class RetriesForEver implements Decisions {
    @Override
    public Recovery recoveryAfter(FailurePolicy policy, int attempt, Instant at, double chance) {
      return new Recovery.RetryAt(at.plusMillis(500));
    }
  }

  private static final class DownAtOnce implements Decisions {
    @Override
    public Aftermath after(FailurePolicy policy, Step step) {
      var real = Decisions.super.after(policy, step);
      return new Aftermath(real.escalations(), !real.escalations().isEmpty(), real.cause());
    }
  }

  private static final class NeverDown implements Decisions {
    @Override
    public Aftermath after(FailurePolicy policy, Step step) {
      return Aftermath.NOTHING;
    }
  }

  private static final class SwitchesTooEarly implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      var real = Decisions.super.on(cluster, state, event);
      return real instanceof Step.Noted(Serving(int now, Change.Preparing(int next)), _, _)
          ? as(
              real,
              new Serving(next, new Change.Leaving(now, Way.HANDOVER, Instant.MAX)),
              new Action.PrepareGeneration(next, 1),
              new Action.TakeOver(now, next, Way.HANDOVER, Instant.MAX))
          : real;
    }
  }

  private static final class BelievesLateAnswers implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      return state instanceof Initializing now && event instanceof Prepared
          ? Decisions.super.on(cluster, state, new Prepared(now.generation(), now.attempt()))
          : Decisions.super.on(cluster, state, event);
    }
  }

  private interface Edit {
    List<Action> edited(List<Action> actions);
  }

  private static Step withActions(Step step, Edit edit) {
    return switch (step) {
      case Step.Moved(var state, var actions, var reason) ->
          new Step.Moved(state, edit.edited(actions), reason);
      case Step.Noted(var state, var actions, var reason) ->
          new Step.Noted(state, edit.edited(actions), reason);
      case Step.Stayed _, Step.Refused _ -> step;
    };
  }
}
