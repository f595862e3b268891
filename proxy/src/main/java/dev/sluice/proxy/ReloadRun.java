package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.Step;
import dev.sluice.lifecycle.reload.ClusterChange;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.lifecycle.reload.Course;
import dev.sluice.lifecycle.reload.Reload;
import dev.sluice.lifecycle.reload.ReloadAction;
import dev.sluice.lifecycle.reload.ReloadEvent;
import dev.sluice.lifecycle.reload.ReloadFacts;
import dev.sluice.lifecycle.reload.ReloadPlan;
import dev.sluice.lifecycle.reload.ReloadState;
import dev.sluice.lifecycle.reload.ReloadStep;
import dev.sluice.lifecycle.reload.UpstreamIdentity;
import dev.sluice.proxy.ReloadReport.ClusterReport;
import dev.sluice.proxy.ReloadReport.Verdict;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One reload: owns its state, obeys its actions. Belongs to the control thread. */
final class ReloadRun {

  private static final Logger LOG = LoggerFactory.getLogger(ReloadRun.class);

  /** When something was first done to a cluster, and when that was over; by a ticking clock. */
  private static final class Times {
    private final long began = System.nanoTime();
    private long ended = began;
  }

  private final ProxyHost host;
  private final Engine engine;
  private final ReloadPlan plan;
  private final Consumer<ReloadReport> whenDone;
  private final Map<String, VirtualClusterSpec> wanted = new LinkedHashMap<>();
  private final Map<String, VirtualClusterHost> concerned = new HashMap<>();
  private final Map<String, Times> times = new HashMap<>();

  private final long began = System.nanoTime();
  private final ReloadStep first;
  private volatile ReloadState state;
  private boolean done;

  /**
   * @param whenDone is told once, on the control thread
   */
  ReloadRun(
      ProxyHost host,
      Engine engine,
      ReloadRequest request,
      ReloadPlan plan,
      Consumer<ReloadReport> whenDone) {
    this.host = host;
    this.engine = engine;
    this.plan = plan;
    this.whenDone = whenDone;
    this.first = Reload.begin(plan, request.policy());
    this.state = first.state();
    request.virtualClusters().forEach(spec -> wanted.put(spec.name(), spec));
  }

  void begin() {
    plan.warnings().forEach(warning -> LOG.atWarn().log("{}", warning));
    plan.obstacle().ifPresent(why -> LOG.atError().log("{}", why));
    follow(first);
  }

  /** Whether something is done to it. Safe from every thread. */
  boolean concerns(String name) {
    return state.concerns(name);
  }

  /** Whether something was asked of it. */
  boolean expects(String name) {
    return state.expects(name);
  }

  /** Whether it was begun in vain, and is being taken away. */
  boolean withdraws(String name) {
    return state.courses().get(name) instanceof Course.Withdrawing;
  }

  void hear(ReloadEvent event) {
    follow(Reload.on(state, identified(event)));
  }

  private void follow(ReloadStep step) {
    var before = state;
    state = step.state();
    step.actions().forEach(this::obey);
    step.state().courses().forEach((name, course) -> noteEnd(before, name, course));
    if (step.state().isDone() && !done) {
      done = true;
      host.arrange(List.copyOf(wanted.keySet()));
      if (host.ending().isPresent()) {
        whenDone.accept(report()); // The control thread ends with what is released.
      } else {
        released(concerned.keySet()).addListener(_ -> whenDone.accept(report()));
      }
    }
  }

  /** Reports of connections are made when what was released is gone. */
  private Future<Void> released(Set<String> names) {
    var all = new PromiseCombiner(engine.control());
    concerned.forEach(
        (name, one) -> {
          if (names.contains(name)) {
            all.add((Future<?>) one.released());
          }
        });
    Promise<Void> gone = engine.control().newPromise();
    all.finish(gone);
    return gone;
  }

  private void noteEnd(ReloadState before, String name, Course course) {
    if (course instanceof Course.Ended(var change, var outcome) && before.outcome(name).isEmpty()) {
      Optional.ofNullable(times.get(name)).ifPresent(time -> time.ended = System.nanoTime());
      (outcome.isAsAsked() ? LOG.atInfo() : LOG.atWarn())
          .addKeyValue("virtualCluster", name)
          .addKeyValue("change", change.kind())
          .addKeyValue("outcome", outcome.label())
          .addKeyValue("millis", took(name).toMillis())
          .log("{}: {}", outcome.isAsAsked() ? "Reloaded" : "Not reloaded", outcome.sentence());
    }
  }

  private void obey(ReloadAction action) {
    switch (action) {
      case ReloadAction.Request request -> obey(request);
      // Ports that others give up are free when these say so, and not when they have decided it.
      case ReloadAction.AwaitPorts(var name, var of) ->
          released(of).addListener(_ -> later(new ReloadEvent.PortsFreed(name)));
      // Not at once: what the end was read from is obeyed first.
      case ReloadAction.LetRetry(var name, var due) ->
          engine
              .control()
              .execute(
                  () -> host.host(name).ifPresent(one -> one.tell(new ClusterEvent.RetryDue(due))));
    }
  }

  private void obey(ReloadAction.Request action) {
    var name = action.name();
    times.computeIfAbsent(name, _ -> new Times());
    var answer = ask(action);
    ReloadFacts.ofAnswer(name, answer).ifPresent(this::later);
    if (action instanceof ReloadAction.Remove && concerned(name).state() instanceof Stopped) {
      later(new ReloadEvent.Gone(name));
    }
  }

  private Step ask(ReloadAction.Request action) {
    return switch (action) {
      case ReloadAction.Begin(var name) -> host.add(wanted(name), Barrier.CLOSED);
      case ReloadAction.Prepare(var name) -> concerned(name).accept(wanted(name)).step();
      case ReloadAction.Retry(var name) -> concerned(name).tell(new ClusterEvent.RetryAsked());
      case ReloadAction.Admit(var name) -> host.admit(concerned(name));
      case ReloadAction.Switch(var name, var choice, var fallback) -> {
        var one = concerned(name);
        yield one.tell(
            new ClusterEvent.SwitchAsked(
                one.life().newestGeneration(), choice.way(), fallback, host.deadline(one)));
      }
      case ReloadAction.Cancel(var name) -> {
        var one = concerned(name);
        yield one.tell(new ClusterEvent.ReloadCancelled(one.life().newestGeneration()));
      }
      case ReloadAction.Remove(var name) -> host.remove(concerned(name));
    };
  }

  private void later(ReloadEvent event) {
    engine.control().execute(() -> hear(event));
  }

  /** Of a generation that is prepared beside: whose Kafka cluster is behind it. */
  private ReloadEvent identified(ReloadEvent event) {
    if (!(event instanceof ReloadEvent.Prepared(var name, _))) {
      return event;
    }
    var one = concerned(name);
    var identity =
        one.state() instanceof Serving(int serving, Change.Ready(int next))
            ? UpstreamIdentity.of(
                one.generations().clusterId(serving), one.generations().clusterId(next))
            : UpstreamIdentity.UNKNOWN;
    return new ReloadEvent.Prepared(name, identity);
  }

  private VirtualClusterSpec wanted(String name) {
    return Objects.requireNonNull(wanted.get(name), name);
  }

  /** Remembered, since one that was removed is known by nobody else any more. */
  private VirtualClusterHost concerned(String name) {
    return concerned.computeIfAbsent(name, _ -> host.host(name).orElseThrow());
  }

  private Duration took(String name) {
    return Optional.ofNullable(times.get(name))
        .map(time -> Duration.ofNanos(time.ended - time.began))
        .orElse(Duration.ZERO);
  }

  // ---- the report ----------------------------------------------------------------------------

  private ReloadReport report() {
    var clusters = plan.changes().stream().map(this::report).toList();
    var took = Duration.ofNanos(System.nanoTime() - began);
    return new ReloadReport(verdict(), took, clusters, plan.warnings());
  }

  private ClusterReport report(ClusterChange change) {
    var name = change.name();
    return new ClusterReport(change, state.outcome(name), took(name), departure(name), List.of());
  }

  /** Only what this reload itself came to for connections. */
  private Optional<DrainReport> departure(String name) {
    var since = engine.clock().instant().minusNanos(System.nanoTime() - began);
    return Optional.ofNullable(concerned.get(name))
        .flatMap(one -> one.view().lastDrain())
        .filter(last -> !last.since().isBefore(since.minusMillis(1)));
  }

  private Verdict verdict() {
    var outcomes =
        plan.affected().stream().map(change -> state.outcome(change.name()).orElseThrow()).toList();
    if (outcomes.isEmpty()) {
      return Verdict.UNCHANGED;
    }
    if (outcomes.stream().anyMatch(ClusterOutcome.CutShort.class::isInstance)) {
      return Verdict.CUT_SHORT;
    }
    if (outcomes.stream().allMatch(ClusterOutcome::isAsAsked)) {
      return Verdict.APPLIED;
    }
    return outcomes.stream().anyMatch(ClusterOutcome::isAsAsked) ? Verdict.PARTLY : Verdict.FAILED;
  }
}
