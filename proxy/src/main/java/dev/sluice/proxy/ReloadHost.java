package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Comparison;
import dev.sluice.lifecycle.reload.Line;
import dev.sluice.lifecycle.reload.Present;
import dev.sluice.lifecycle.reload.ReloadEvent;
import dev.sluice.lifecycle.reload.ReloadFacts;
import dev.sluice.lifecycle.reload.ReloadPlan;
import dev.sluice.proxy.ReloadReport.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs reloads, one at a time: keeps the line of those that are asked for, and tells the one that
 * runs what happens to virtual clusters. Belongs to the control thread.
 */
final class ReloadHost implements ProxyListener {

  private record Asked(ReloadRequest request, CompletableFuture<ReloadReport> answer) {}

  private final ProxyHost host;
  private final Engine engine;
  private final Map<Long, Asked> asked = new HashMap<>();
  private Line line = Line.EMPTY;
  private long numbers;

  /** Read from other threads, too. */
  private volatile @Nullable ReloadRun running;

  ReloadHost(ProxyHost host, Engine engine) {
    this.host = host;
    this.engine = engine;
  }

  /** Reloads, as soon as those before it are done. Completes on the control thread. */
  CompletionStage<ReloadReport> reload(ReloadRequest request) {
    var one = new Asked(request, new CompletableFuture<>());
    asked.put(++numbers, one);
    take(line.asked(numbers));
    return one.answer();
  }

  /** What a reload would do to every virtual cluster, now. */
  ReloadPlan plan(ReloadRequest request) {
    SortedMap<String, Blueprint> blueprints = new TreeMap<>();
    request.virtualClusters().forEach(spec -> blueprints.put(spec.name(), Blueprints.of(spec)));
    var present =
        host.hosts().values().stream()
            .map(one -> new Present(one.life().name(), one.state(), Blueprints.of(one.spec())))
            .toList();
    return Comparison.of(present, blueprints);
  }

  /** Whether the reload that runs does something to it. Safe from every thread. */
  boolean concerns(String name) {
    var run = running;
    return run != null && run.concerns(name);
  }

  /** Whether it was begun in vain, and is being taken away: the failure policy is not asked. */
  boolean withdraws(String name) {
    var run = running;
    return run != null && run.withdraws(name);
  }

  /** An automatic retry is due: the reload that runs decides when its time has come. */
  void retryDue(VirtualClusterHost one, Instant due) {
    var run = running;
    if (run == null) {
      one.tell(new ClusterEvent.RetryDue(due));
    } else {
      run.hear(new ReloadEvent.RetryDue(one.life().name(), due));
    }
  }

  private void take(Line.Turn turn) {
    line = turn.line();
    turn.superseded().ifPresent(number -> answer(number, Verdict.SUPERSEDED));
    turn.starts().ifPresent(this::start);
  }

  private void start(long number) {
    if (host.ending().isPresent()) {
      answer(number, Verdict.CUT_SHORT);
      take(line.ended());
      return;
    }
    var one = Objects.requireNonNull(asked.remove(number));
    var plan = plan(one.request());
    var run = new ReloadRun(host, engine, one.request(), plan, report -> ended(one, report));
    running = run;
    run.begin();
  }

  private void ended(Asked one, ReloadReport report) {
    running = null;
    one.answer().complete(report);
    if (host.ending().isPresent()) {
      take(line.ended());
    } else {
      // Not at once: what its last fact was read from is obeyed first.
      engine.control().execute(() -> take(line.ended()));
    }
  }

  private void answer(long number, Verdict verdict) {
    Objects.requireNonNull(asked.remove(number)).answer().complete(ReloadReport.never(verdict));
  }

  /** The proxy begins to shut down. */
  void shutDown() {
    var run = running;
    if (run != null) {
      run.hear(new ReloadEvent.ShutdownAsked());
    }
  }

  /** Who hears of it is decided now: later it may have been asked for something else. */
  @Override
  public void stepped(Life before, Life after, Step step) {
    var run = running;
    if (run != null && run.expects(after.name())) {
      ReloadFacts.of(after.name(), before.state(), step)
          .ifPresent(fact -> engine.control().execute(() -> run.hear(fact)));
    }
  }
}
