package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.doors.Doors;
import dev.sluice.lifecycle.doors.Doorway;
import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.ClusterChange;
import dev.sluice.lifecycle.reload.ClusterChange.Added;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterChange.Retried;
import dev.sluice.lifecycle.reload.ClusterChange.Unchanged;
import dev.sluice.lifecycle.reload.Line;
import dev.sluice.lifecycle.reload.Place;
import dev.sluice.lifecycle.reload.Present;
import dev.sluice.lifecycle.reload.ReloadAction;
import dev.sluice.lifecycle.reload.ReloadEvent;
import dev.sluice.lifecycle.reload.ReloadPlan;
import dev.sluice.lifecycle.reload.ReloadState;
import dev.sluice.lifecycle.reload.ReloadState.Commitment;
import dev.sluice.lifecycle.reload.ReloadStep;
import dev.sluice.lifecycle.reload.WayChoice;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Decisions that are wrong on purpose, each with the invariant that has to catch it. */
final class ReloadMutants {

  /**
   * A wrong decision.
   *
   * @param name what it does wrong
   * @param caughtBy the invariant that has to catch it
   */
  record Mutant(String name, ReloadInvariant caughtBy, ReloadDecisions decisions) {
    @Override
    public String toString() {
      return name;
    }
  }

  private ReloadMutants() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "every cluster is changed",
            ReloadInvariant.THE_UNAFFECTED_GET_NO_ACTION,
            new ChangesTo(
                change ->
                    change instanceof Unchanged(var name)
                        ? new Changed(name, EnumSet.of(Aspect.LIMITS), true, new TreeSet<>())
                        : change)),
        new Mutant(
            "a failed cluster is not tried again",
            ReloadInvariant.EVERYTHING_SETTLES,
            new ChangesTo(
                change -> change instanceof Retried(var name, _) ? new Unchanged(name) : change)),
        new Mutant(
            "nobody waits for ports",
            ReloadInvariant.PORTS_ARE_FREED_FIRST,
            new ChangesTo(ReloadMutants::withoutWaiting)),
        new Mutant(
            "nobody waits for ports of one that only moves",
            ReloadInvariant.PORTS_ARE_FREED_FIRST,
            new WaitsForTheRemoved()),
        new Mutant(
            "another Kafka cluster is switched to in place",
            ReloadInvariant.NEVER_TWO_KAFKA_CLUSTERS_TOGETHER,
            new SwitchesBy(Way.IN_PLACE)),
        new Mutant(
            "an address is changed in place",
            ReloadInvariant.IN_PLACE_KEEPS_THE_ADDRESS,
            new SwitchesBy(Way.IN_PLACE)),
        new Mutant(
            "an atomic reload does not wait",
            ReloadInvariant.ATOMIC_IS_ALL_OR_NONE,
            new DoesNotWait()),
        new Mutant(
            "what was prepared never takes over",
            ReloadInvariant.EVERYTHING_SETTLES,
            new Forgets(ReloadAction.Switch.class)),
        new Mutant(
            "what was given up is not cancelled",
            ReloadInvariant.RUNS_THE_NEWEST_OR_ITS_ROLL_BACK,
            new Forgets(ReloadAction.Cancel.class)),
        new Mutant(
            "served is believed when it was prepared",
            ReloadInvariant.RUNS_THE_NEWEST_OR_ITS_ROLL_BACK,
            new BelievesTooEarly()),
        new Mutant(
            "a door is closed when it is left",
            ReloadInvariant.KNOWN_DOORS_STAY_OPEN,
            new ClosesAtOnce()),
        new Mutant(
            "who lingers does not give way",
            ReloadInvariant.WHO_WANTS_A_LEFT_DOOR_GETS_IT,
            new GivesNothingUp()),
        new Mutant(
            "what lingers is never closed",
            ReloadInvariant.NOTHING_LINGERS_FOR_EVER,
            new LingersForEver()),
        new Mutant("retries do not yield", ReloadInvariant.RETRIES_YIELD, new LetsRetry()),
        new Mutant(
            "a retry that yielded is forgotten",
            ReloadInvariant.NO_RETRY_IS_LOST,
            new Forgets(ReloadAction.LetRetry.class)),
        new Mutant("reloads overlap", ReloadInvariant.ONE_AT_A_TIME, new Overlaps()),
        new Mutant(
            "the oldest of those that wait runs",
            ReloadInvariant.THE_NEWEST_RUNS,
            new KeepsOldest()),
        new Mutant("who waits is forgotten", ReloadInvariant.ANSWERED_ONCE, new ForgetsWaiting()));
  }

  private static ClusterChange withoutWaiting(ClusterChange change) {
    return switch (change) {
      case Added(var name, _, var from) -> new Added(name, new TreeSet<>(), from);
      case Changed(var name, var aspects, var beside, _) ->
          new Changed(name, aspects, beside, new TreeSet<>());
      case Retried(var name, _) -> new Retried(name, new TreeSet<>());
      default -> change;
    };
  }

  private record ChangesTo(UnaryOperator<ClusterChange> wrongly) implements ReloadDecisions {
    @Override
    public ReloadPlan compare(Collection<Present> present, SortedMap<String, Blueprint> asked) {
      var real = ReloadDecisions.super.compare(present, asked);
      return new ReloadPlan(
          real.changes().stream().map(wrongly).toList(), real.warnings(), real.obstacle());
    }
  }

  private static final class WaitsForTheRemoved implements ReloadDecisions {
    @Override
    public ReloadPlan compare(Collection<Present> present, SortedMap<String, Blueprint> asked) {
      var real = ReloadDecisions.super.compare(present, asked);
      var changes =
          real.changes().stream()
              .map(
                  change ->
                      asked.keySet().containsAll(change.waitsFor())
                          ? withoutWaiting(change)
                          : change)
              .toList();
      return new ReloadPlan(changes, real.warnings(), real.obstacle());
    }
  }

  private record SwitchesBy(Way way) implements ReloadDecisions {
    @Override
    public ReloadStep on(ReloadState state, ReloadEvent event) {
      var real = ReloadDecisions.super.on(state, event);
      return new ReloadStep(real.state(), real.actions().stream().map(this::changed).toList());
    }

    private ReloadAction changed(ReloadAction action) {
      return action instanceof ReloadAction.Switch(var name, var choice, var fallback)
          ? new ReloadAction.Switch(
              name, new WayChoice(way, choice.because(), choice.aspects()), fallback)
          : action;
    }
  }

  private record Forgets(Class<? extends ReloadAction> what) implements ReloadDecisions {
    @Override
    public ReloadStep on(ReloadState state, ReloadEvent event) {
      var real = ReloadDecisions.super.on(state, event);
      return new ReloadStep(
          real.state(),
          real.actions().stream().filter(action -> !what.isInstance(action)).toList());
    }
  }

  private static final class DoesNotWait implements ReloadDecisions {
    @Override
    public ReloadStep on(ReloadState state, ReloadEvent event) {
      return ReloadDecisions.super.on(
          new ReloadState(state.policy(), Commitment.GIVEN, state.courses(), state.yielding()),
          event);
    }
  }

  private static final class BelievesTooEarly implements ReloadDecisions {
    @Override
    public ReloadStep on(ReloadState state, ReloadEvent event) {
      return ReloadDecisions.super.on(
          state,
          event instanceof ReloadEvent.Prepared(var name, _)
              ? new ReloadEvent.Served(name)
              : event);
    }
  }

  private static final class LetsRetry implements ReloadDecisions {
    @Override
    public ReloadStep on(ReloadState state, ReloadEvent event) {
      return event instanceof ReloadEvent.RetryDue(var name, var due)
          ? new ReloadStep(state, List.of(new ReloadAction.LetRetry(name, due)))
          : ReloadDecisions.super.on(state, event);
    }
  }

  private static final class Overlaps implements ReloadDecisions {
    @Override
    public Line.Turn asked(Line line, long number) {
      return ReloadDecisions.super.asked(Line.EMPTY, number);
    }
  }

  private static final class KeepsOldest implements ReloadDecisions {
    @Override
    public Line.Turn asked(Line line, long number) {
      return line.waiting().isEmpty()
          ? ReloadDecisions.super.asked(line, number)
          : new Line.Turn(line, OptionalLong.empty(), OptionalLong.of(number));
    }
  }

  private static final class ForgetsWaiting implements ReloadDecisions {
    @Override
    public Line.Turn ended(Line line) {
      return ReloadDecisions.super.ended(new Line(line.running(), OptionalLong.empty()));
    }
  }

  private static final class ClosesAtOnce implements ReloadDecisions {
    @Override
    public Doors.Turn leave(Doors doors, Collection<Doorway> left, Instant now) {
      return doors.held().unnamed(left, now);
    }
  }

  private static final class GivesNothingUp implements ReloadDecisions {
    @Override
    public Doors.Turn want(Doors doors, Collection<Place> places, Instant now) {
      return doors.at(now);
    }
  }

  private static final class LingersForEver implements ReloadDecisions {
    @Override
    public Doors.Turn tick(Doors doors, Instant now) {
      return doors.at(now.minusMillis(1));
    }
  }
}
