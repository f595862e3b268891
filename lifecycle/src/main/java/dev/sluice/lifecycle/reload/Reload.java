package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.reload.ClusterChange.Added;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterChange.Removed;
import dev.sluice.lifecycle.reload.ClusterChange.Retried;
import dev.sluice.lifecycle.reload.ClusterChange.Unchanged;
import dev.sluice.lifecycle.reload.Course.AwaitingPorts;
import dev.sluice.lifecycle.reload.Course.Ended;
import dev.sluice.lifecycle.reload.Course.Held;
import dev.sluice.lifecycle.reload.Course.Preparing;
import dev.sluice.lifecycle.reload.Course.Switching;
import dev.sluice.lifecycle.reload.Course.Withdrawing;
import dev.sluice.lifecycle.reload.ReloadState.Commitment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The course of one reload as a total function. Affected clusters go their ways side by side; they
 * meet only where one needs ports that another gives up, and where {@link Mode#ATOMIC} makes them
 * wait for each other.
 */
public final class Reload {

  private final List<ReloadAction> actions = new ArrayList<>();
  private ReloadState state;

  private Reload(ReloadState state) {
    this.state = state;
  }

  /** The beginning: every affected cluster is held, or asked for the first thing. */
  public static ReloadStep begin(ReloadPlan plan, ReloadPolicy policy) {
    var courses = new TreeMap<String, Course>();
    plan.affected().forEach(change -> courses.put(change.name(), new Held(change)));
    var commitment = policy.mode() == Mode.ATOMIC ? Commitment.AWAITED : Commitment.GIVEN;
    var reload = new Reload(new ReloadState(policy, commitment, courses, new TreeMap<>()));
    plan.obstacle().ifPresentOrElse(reload::refuse, () -> plan.affected().forEach(reload::start));
    return reload.step();
  }

  /** What follows from an event. What is about something that is over changes nothing. */
  public static ReloadStep on(ReloadState state, ReloadEvent event) {
    var reload = new Reload(state);
    switch (event) {
      case ReloadEvent.ShutdownAsked _ -> reload.cutShort();
      case ReloadEvent.RetryDue(var name, var due) -> reload.retryDue(name, due);
      case ReloadEvent.OfCluster fact ->
          Optional.ofNullable(state.courses().get(fact.name()))
              .ifPresent(course -> reload.heard(course, fact));
    }
    return reload.step();
  }

  private ReloadStep step() {
    commitIfPossible();
    wakeHeld();
    return new ReloadStep(state, actions);
  }

  /** Nothing is touched. */
  private void refuse(String why) {
    state
        .courses()
        .values()
        .forEach(course -> end(course.change(), new ClusterOutcome.Refused(why)));
  }

  private void start(ClusterChange change) {
    switch (change) {
      case Changed _, Added _, Retried _ -> {
        if (change.waitsFor().isEmpty()) {
          goAhead(change);
        }
      }
      case Removed _ -> {
        if (state.commitment() == Commitment.GIVEN) {
          remove(change);
        }
      }
      case Unchanged _ -> {}
    }
  }

  /** It yields: what others hold it could only fail with, and this may give it another form. */
  private void retryDue(String name, Instant due) {
    if (state.concerns(name)) {
      var yielding = new TreeMap<>(state.yielding());
      yielding.put(name, due);
      state = state.with(yielding);
    } else {
      actions.add(new ReloadAction.LetRetry(name, due));
    }
  }

  /** Nobody has to be waited for any more. */
  private void goAhead(ClusterChange change) {
    if (change instanceof Retried) {
      put(new Switching(change, Optional.empty()));
      actions.add(new ReloadAction.Retry(change.name()));
    } else {
      prepare(change);
    }
  }

  private void prepare(ClusterChange change) {
    put(new Preparing(change));
    actions.add(
        change instanceof Added
            ? new ReloadAction.Begin(change.name())
            : new ReloadAction.Prepare(change.name()));
  }

  private void remove(ClusterChange change) {
    put(new Switching(change, Optional.empty()));
    actions.add(new ReloadAction.Remove(change.name()));
  }

  private void heard(Course course, ReloadEvent.OfCluster fact) {
    switch (course) {
      case AwaitingPorts(var change) -> {
        if (fact instanceof ReloadEvent.PortsFreed) {
          goAhead(change);
        }
      }
      case Preparing(var change) -> whilePreparing(change, fact);
      case Switching now -> whileSwitching(now, fact);
      case Withdrawing(var change, var outcome) -> {
        if (fact instanceof ReloadEvent.Gone) {
          end(change, outcome);
        }
      }
      case Course.Prepared(var change, _) -> {
        if (fact instanceof ReloadEvent.Gone) {
          end(change, new ClusterOutcome.CutShort());
        }
      }
      case Held _, Ended _ -> {}
    }
  }

  private void whilePreparing(ClusterChange change, ReloadEvent.OfCluster fact) {
    switch (fact) {
      case ReloadEvent.Prepared(_, var upstream) -> prepared(change, Optional.of(upstream));
      case ReloadEvent.BarrierReached _ -> prepared(change, Optional.empty());
      case ReloadEvent.Served _ -> end(change, new ClusterOutcome.Begun());
      case ReloadEvent.PrepareFailed(_, var cause) ->
          failed(change, new ClusterOutcome.Kept(cause));
      case ReloadEvent.Failed(_, var cause) -> failedAtOnce(change, cause);
      case ReloadEvent.Refused(_, var why) -> failed(change, new ClusterOutcome.Refused(why));
      case ReloadEvent.Gone _ -> failed(change, new ClusterOutcome.CutShort());
      case ReloadEvent.RolledBack _, ReloadEvent.PortsFreed _ -> {}
    }
  }

  private void prepared(ClusterChange change, Optional<UpstreamIdentity> upstream) {
    put(new Course.Prepared(change, upstream));
    if (state.commitment() == Commitment.GIVEN) {
      goOver(change, upstream);
    }
  }

  /**
   * Going back, for one that was not there before, is not to be there. One that stays is not held
   * by the barrier of this reload when it is retried.
   */
  private void failedAtOnce(ClusterChange change, String cause) {
    boolean goesBack =
        state.policy().onFailure() == Fallback.ROLL_BACK
            || state.commitment() == Commitment.AWAITED;
    if (change instanceof Added && goesBack) {
      withdraw(change, new ClusterOutcome.NotAdded(cause));
      veto(change.name());
      return;
    }
    if (change instanceof Added) {
      actions.add(new ReloadAction.Admit(change.name()));
    }
    failed(change, new ClusterOutcome.Failed(cause));
  }

  private void whileSwitching(Switching now, ReloadEvent.OfCluster fact) {
    var change = now.change();
    switch (fact) {
      case ReloadEvent.Served _ ->
          end(
              change,
              now.choice()
                  .<ClusterOutcome>map(ClusterOutcome.Switched::new)
                  .orElseGet(ClusterOutcome.Begun::new));
      case ReloadEvent.RolledBack(_, var cause) ->
          now.choice()
              .ifPresent(choice -> end(change, new ClusterOutcome.RolledBack(choice, cause)));
      case ReloadEvent.Failed(_, var cause) -> end(change, new ClusterOutcome.Failed(cause));
      case ReloadEvent.Refused(_, var why) -> end(change, new ClusterOutcome.Refused(why));
      case ReloadEvent.Gone _ ->
          end(
              change,
              change instanceof Removed
                  ? new ClusterOutcome.Gone()
                  : new ClusterOutcome.CutShort());
      case ReloadEvent.Prepared _,
          ReloadEvent.BarrierReached _,
          ReloadEvent.PrepareFailed _,
          ReloadEvent.PortsFreed _ -> {}
    }
  }

  /** Whether it serves is known by now: one that waited for ports may have begun meanwhile. */
  private void goOver(ClusterChange change, Optional<UpstreamIdentity> upstream) {
    if (change instanceof Changed changed && upstream.isPresent()) {
      var choice = WayChoice.of(changed.aspects(), upstream.get(), state.policy().strategy());
      put(new Switching(change, Optional.of(choice)));
      actions.add(new ReloadAction.Switch(change.name(), choice, state.policy().onFailure()));
    } else {
      put(new Switching(change, Optional.empty()));
      actions.add(new ReloadAction.Admit(change.name()));
    }
  }

  private void failed(ClusterChange change, ClusterOutcome outcome) {
    end(change, outcome);
    veto(change.name());
  }

  /** Of an atomic reload none is switched any more; what was prepared is given up. */
  private void veto(String name) {
    if (state.commitment() != Commitment.AWAITED) {
      return;
    }
    state = state.with(Commitment.WITHHELD);
    var cancelled = new ClusterOutcome.Cancelled(name);
    for (var course : state.courses().values()) {
      switch (course) {
        case Held(var change) -> end(change, cancelled);
        case AwaitingPorts(var change) -> end(change, cancelled);
        case Preparing(var change) -> giveUp(change, cancelled);
        case Course.Prepared(var change, _) -> giveUp(change, cancelled);
        case Switching _, Withdrawing _, Ended _ -> {}
      }
    }
  }

  private void giveUp(ClusterChange change, ClusterOutcome outcome) {
    if (change instanceof Added) {
      withdraw(change, outcome);
    } else if (change instanceof Changed changed && changed.beside()) {
      end(change, outcome);
      actions.add(new ReloadAction.Cancel(change.name()));
    }
  }

  private void withdraw(ClusterChange change, ClusterOutcome outcome) {
    put(new Withdrawing(change, outcome));
    actions.add(new ReloadAction.Remove(change.name()));
  }

  /** What needs the ports of one that goes is prepared after the commit, and has no veto. */
  private void commitIfPossible() {
    if (state.commitment() != Commitment.AWAITED
        || state.courses().values().stream().anyMatch(Preparing.class::isInstance)) {
      return;
    }
    state = state.with(Commitment.GIVEN);
    for (var course : state.courses().values()) {
      switch (course) {
        case Course.Prepared(var change, var upstream) -> goOver(change, upstream);
        case Held(Removed change) -> remove(change);
        case Held _, AwaitingPorts _, Preparing _, Switching _, Withdrawing _, Ended _ -> {}
      }
    }
  }

  private void wakeHeld() {
    if (state.commitment() != Commitment.GIVEN) {
      return;
    }
    for (var course : state.courses().values()) {
      if (course instanceof Held(var change)
          && change.waitsFor().stream().allMatch(name -> state.outcome(name).isPresent())) {
        put(new AwaitingPorts(change));
        actions.add(new ReloadAction.AwaitPorts(change.name(), change.waitsFor()));
      }
    }
  }

  private void cutShort() {
    state = state.with(new TreeMap<String, Instant>());
    for (var course : state.courses().values()) {
      if (!(course instanceof Ended)) {
        end(course.change(), new ClusterOutcome.CutShort());
      }
    }
  }

  private void end(ClusterChange change, ClusterOutcome outcome) {
    put(new Ended(change, outcome));
    var yielding = new TreeMap<>(state.yielding());
    var due = yielding.remove(change.name());
    if (due != null) {
      state = state.with(yielding);
      actions.add(new ReloadAction.LetRetry(change.name(), due));
    }
  }

  private void put(Course course) {
    state = state.with(course);
  }
}
