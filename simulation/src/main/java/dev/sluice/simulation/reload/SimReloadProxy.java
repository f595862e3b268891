package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterEvent.BarrierOpened;
import dev.sluice.lifecycle.ClusterEvent.ReloadCancelled;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.SwitchAsked;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Retry;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.Step;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Course;
import dev.sluice.lifecycle.reload.Line;
import dev.sluice.lifecycle.reload.Present;
import dev.sluice.lifecycle.reload.ReloadAction;
import dev.sluice.lifecycle.reload.ReloadEvent;
import dev.sluice.lifecycle.reload.ReloadFacts;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.ReloadState;
import dev.sluice.lifecycle.reload.ReloadStep;
import dev.sluice.lifecycle.reload.UpstreamIdentity;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.Trace;
import dev.sluice.simulation.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A shell as far as a reload can tell: keeps its state, tells it what happens, obeys it. */
final class SimReloadProxy {

  private static final FailurePolicy RETRYING =
      new FailurePolicy(
          Serve.REMAINING,
          Optional.of(new Retry(2, Duration.ofMillis(500), Duration.ofSeconds(2))));
  private static final FailurePolicy GIVING_UP =
      new FailurePolicy(Serve.REMAINING, Optional.empty());

  /** Who asked for what, how. */
  record Asked(long number, SortedMap<String, Blueprint> wanted, ReloadPolicy policy) {}

  private final VirtualTime time;
  private final Chance chance;
  private final Trace trace;
  private final ReloadDecisions decisions;
  private final ReloadWitness witness;
  private final FailurePolicy policy;
  private final SortedMap<String, SimReloadCluster> clusters = new TreeMap<>();
  private final Map<Long, Asked> asked = new HashMap<>();
  private Line line = Line.EMPTY;
  private long numbers;
  private @Nullable Asked running;
  private @Nullable ReloadState state;
  private boolean faulty = true;
  private boolean down;

  SimReloadProxy(VirtualTime time, Chance chance, Trace trace, ReloadDecisions decisions) {
    this.time = time;
    this.chance = chance;
    this.trace = trace;
    this.decisions = decisions;
    witness = new ReloadWitness(this);
    policy = chance.onceIn(2) ? RETRYING : GIVING_UP;
  }

  VirtualTime time() {
    return time;
  }

  Chance chance() {
    return chance;
  }

  SortedMap<String, SimReloadCluster> clusters() {
    return clusters;
  }

  ReloadWitness witness() {
    return witness;
  }

  boolean isReloading() {
    return running != null;
  }

  /** How far a reload that is under way is with a cluster; empty: it has nothing to do to it. */
  Optional<Course> course(String name) {
    return running == null
        ? Optional.empty()
        : Optional.ofNullable(Objects.requireNonNull(state).courses().get(name))
            .filter(one -> !(one instanceof Course.Ended));
  }

  /** Whether this cannot be brought about in one reload. */
  boolean isObstructed(SortedMap<String, Blueprint> wanted) {
    return decisions.compare(present(), wanted).obstacle().isPresent();
  }

  private List<Present> present() {
    return clusters.values().stream().map(SimReloadCluster::present).toList();
  }

  void endFaults() {
    faulty = false;
  }

  boolean fails(int oneIn) {
    return faulty && chance.onceIn(oneIn);
  }

  Recovery recoveryAfter(int attempt) {
    return policy.recoveryAfter(attempt, time.now(), chance.next());
  }

  ReloadDecisions decisions() {
    return decisions;
  }

  /** Nobody else lingers at a place of this any more. */
  void giveUp(Blueprint wanted, String forWhom) {
    clusters.forEach(
        (name, cluster) -> {
          if (!name.equals(forWhom)) {
            cluster.doors().giveUp(wanted.places());
          }
        });
  }

  /** Who else holds a port of this. */
  Optional<String> holderOf(Blueprint wanted, String forWhom) {
    return clusters.entrySet().stream()
        .filter(each -> !each.getKey().equals(forWhom))
        .filter(each -> each.getValue().holdsAnyOf(wanted.places()))
        .map(Map.Entry::getKey)
        .findFirst()
        .map(
            holder -> {
              witness.portHeld(forWhom, holder);
              return holder;
            });
  }

  void ask(SortedMap<String, Blueprint> wanted, ReloadPolicy how) {
    var one = new Asked(++numbers, wanted, how);
    asked.put(one.number(), one);
    witness.asked(one.number());
    trace.note(time.now() + " asked " + one);
    turn(decisions.asked(line, one.number()));
  }

  private void turn(Line.Turn turn) {
    line = turn.line();
    turn.superseded().ifPresent(witness::superseded);
    turn.starts().ifPresent(this::begin);
  }

  private void begin(long number) {
    if (down) {
      witness.tooLate(number);
      turn(decisions.ended(line));
    } else {
      start(Objects.requireNonNull(asked.get(number)));
    }
  }

  private void start(Asked one) {
    ReloadInvariant.ONE_AT_A_TIME.require(
        running == null, () -> one.number() + " starts beside " + running);
    running = one;
    var plan = decisions.compare(present(), one.wanted());
    trace.note(time.now() + " " + plan);
    witness.began(one);
    act(decisions.begin(plan, one.policy()));
  }

  private void act(ReloadStep step) {
    state = step.state();
    step.actions().forEach(this::obey);
    var one = running;
    if (one != null && step.state().isDone()) {
      running = null;
      trace.note(time.now() + " done " + step.state().courses());
      witness.ended(one, step.state());
      // Not at once: what the last fact was read from is obeyed first.
      time.after(Duration.ZERO, () -> turn(decisions.ended(line)));
    }
  }

  private void obey(ReloadAction action) {
    trace.note(time.now() + " " + action);
    switch (action) {
      case ReloadAction.Request request -> obey(request);
      case ReloadAction.AwaitPorts(var name, _) ->
          later(chance.millis(0, 50), new ReloadEvent.PortsFreed(name));
      case ReloadAction.LetRetry(var name, var due) ->
          time.after(
              Duration.ZERO,
              () -> Optional.ofNullable(clusters.get(name)).ifPresent(one -> letRetry(one, due)));
    }
  }

  /** An automatic retry is due. */
  void retryDue(SimReloadCluster cluster, Instant due) {
    if (running == null) {
      letRetry(cluster, due);
    } else {
      var event = new ReloadEvent.RetryDue(cluster.life().name(), due);
      act(decisions.on(Objects.requireNonNull(state), event));
    }
  }

  private void letRetry(SimReloadCluster cluster, Instant due) {
    var name = cluster.life().name();
    ReloadInvariant.RETRIES_YIELD.require(
        course(name).isEmpty(), () -> name + " is retried while it is at " + course(name));
    cluster.tell(new ClusterEvent.RetryDue(due));
  }

  private void obey(ReloadAction.Request action) {
    var name = action.name();
    witness.acted(name);
    if (action instanceof ReloadAction.Begin) {
      begin(name, Barrier.CLOSED, wanted(name));
      return;
    }
    var cluster = Objects.requireNonNull(clusters.get(name), name);
    var answer = cluster.tell(event(action, cluster));
    ReloadFacts.ofAnswer(name, answer).ifPresent(this::later);
    if (action instanceof ReloadAction.Remove && cluster.life().state() instanceof Stopped) {
      later(new ReloadEvent.Gone(name));
    }
  }

  private ClusterEvent event(ReloadAction.Request action, SimReloadCluster cluster) {
    int newest = cluster.life().newestGeneration();
    return switch (action) {
      case ReloadAction.Prepare(var name) -> cluster.numbered(wanted(name));
      case ReloadAction.Retry _ -> new RetryAsked();
      case ReloadAction.Admit _, ReloadAction.Begin _ -> new BarrierOpened();
      case ReloadAction.Switch(_, var choice, var fallback) ->
          new SwitchAsked(newest, choice.way(), fallback, deadline());
      case ReloadAction.Cancel _ -> new ReloadCancelled(newest);
      case ReloadAction.Remove _ -> new RemovalAsked(deadline());
    };
  }

  private Blueprint wanted(String name) {
    return Objects.requireNonNull(Objects.requireNonNull(running).wanted().get(name), name);
  }

  void begin(String name, Barrier barrier, Blueprint blueprint) {
    var former = Optional.ofNullable(clusters.get(name)).map(SimReloadCluster::life);
    var begun =
        former
            .map(life -> life.beginAgain(barrier, time.now()))
            .orElseGet(() -> Life.begin(name, barrier, time.now()));
    clusters.put(name, new SimReloadCluster(this, begun, blueprint));
  }

  void stepped(String name, ClusterState before, Step step, ClusterEvent event) {
    trace.note(time.now() + " " + name + " " + event + " -> " + step);
    ReloadFacts.of(name, before, step).ifPresent(fact -> later(identified(fact)));
  }

  private ReloadEvent identified(ReloadEvent.OfCluster fact) {
    if (!(fact instanceof ReloadEvent.Prepared(var name, _))) {
      return fact;
    }
    var cluster = Objects.requireNonNull(clusters.get(name));
    var next = running == null ? Optional.<Blueprint>empty() : wantedIfAny(name);
    boolean silent = fails(5);
    return new ReloadEvent.Prepared(
        name,
        UpstreamIdentity.of(
            cluster.running().map(Configurations::kafkaCluster),
            next.filter(_ -> !silent).map(Configurations::kafkaCluster)));
  }

  private Optional<Blueprint> wantedIfAny(String name) {
    return Optional.ofNullable(Objects.requireNonNull(running).wanted().get(name));
  }

  private void later(ReloadEvent event) {
    later(Duration.ZERO, event);
  }

  private void later(Duration delay, ReloadEvent event) {
    var about = running;
    time.after(
        delay,
        () -> {
          if (about != null && about.equals(running)) {
            act(decisions.on(Objects.requireNonNull(state), event));
          }
        });
  }

  void shutDown() {
    down = true;
    trace.note(time.now() + " shutdown");
    if (running != null) {
      act(decisions.on(Objects.requireNonNull(state), new ReloadEvent.ShutdownAsked()));
    }
    for (var cluster : new ArrayList<>(clusters.values())) {
      cluster.tell(new ClusterEvent.ShutdownAsked(deadline()));
    }
  }

  boolean isDown() {
    return down;
  }

  /** Somebody asks something of a cluster; refused while a reload concerns it. */
  void askedByPerson(String name, ClusterEvent event) {
    if (running == null || !Objects.requireNonNull(state).courses().containsKey(name)) {
      witness.touched(name);
      Objects.requireNonNull(clusters.get(name)).tell(event);
    }
  }

  private Instant deadline() {
    return time.now().plus(chance.millis(0, 2_000));
  }

  /** Names of the clusters that serve. */
  List<String> serving() {
    return clusters.values().stream()
        .filter(each -> each.life().state() instanceof Serving)
        .map(each -> each.life().name())
        .toList();
  }
}
