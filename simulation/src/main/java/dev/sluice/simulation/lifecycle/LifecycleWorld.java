package dev.sluice.simulation.lifecycle;

import dev.sluice.lifecycle.ClusterEvent.BarrierOpened;
import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.DrainAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.ShutdownAsked;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Retry;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.StartUp;
import dev.sluice.lifecycle.Step;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.Trace;
import dev.sluice.simulation.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A proxy made of a seed: see the package. Throws {@code InvariantBroken}. One thread. */
public final class LifecycleWorld {

  private static final List<String> NAMES = List.of("audit", "billing", "orders", "payments");
  private static final int DISTURBANCES = 24;
  private static final Duration SETTLING = Duration.ofMinutes(10);
  private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(4);

  private final VirtualTime time = new VirtualTime();
  private final Trace trace = new Trace();
  private final List<SimHost> hosts = new ArrayList<>();
  private final SimReloader reloader = new SimReloader(this);
  private final Decisions decisions;
  private final Chance chance;
  private final FailurePolicy policy;
  private final int oneFailureIn;
  private boolean faulty = true;
  private boolean shuttingDown;
  private boolean barrierOpen;
  private boolean wereAllPrepared;

  public LifecycleWorld(long seed, Decisions decisions) {
    this.decisions = decisions;
    chance = new Chance(seed);
    policy = new FailurePolicy(chance.oneOf(List.of(Serve.values())), retry());
    oneFailureIn = chance.between(4, 40);
  }

  /** Both phases, then the end of the proxy; returns the trace. */
  public Trace run() {
    start();
    for (int disturbance = 0; disturbance < DISTURBANCES; disturbance++) {
      time.runUntil(time.now().plus(chance.millis(0, 2_500)));
      disturb();
    }
    faulty = false;
    time.runUntil(time.now().plus(SETTLING));
    checkSettled();
    if (!shuttingDown) {
      shutDown();
    }
    time.runUntil(time.now().plus(SETTLING));
    for (var host : hosts) {
      Invariant.EVERYTHING_SETTLES.require(
          host.state() instanceof Stopped, () -> host.life().name() + " ends as " + host.state());
    }
    return trace;
  }

  /** What happened so far. */
  public Trace trace() {
    return trace;
  }

  VirtualTime time() {
    return time;
  }

  Chance chance() {
    return chance;
  }

  Decisions decisions() {
    return decisions;
  }

  List<SimHost> hosts() {
    return hosts;
  }

  int maxRetries() {
    return policy
        .retry()
        .map(some -> some.maxRetries() == Retry.UNLIMITED ? Integer.MAX_VALUE : some.maxRetries())
        .orElse(0);
  }

  boolean fails() {
    return faulty && chance.onceIn(oneFailureIn);
  }

  Recovery recoveryAfter(int attempt) {
    return decisions.recoveryAfter(policy, attempt, time.now(), chance.next());
  }

  Instant drainDeadline() {
    return time.now().plus(chance.onceIn(5) ? Duration.ZERO : chance.millis(1, 6_000));
  }

  /** After every step of any cluster. */
  void told(SimHost host, Step step) {
    hosts.forEach(SimHost::check);
    wereAllPrepared |= hosts.stream().allMatch(LifecycleWorld::isPreparedOrGone);
    if (decisions.after(policy, step).shutsProxyDown() && !shuttingDown) {
      Invariant.DOWN_ONLY_BY_POLICY.require(
          policy.serve() == Serve.NONE
              && host.state() instanceof Failed
              && host.witness().isExhausted(),
          () ->
              "down because of " + host.life().name() + ", " + host.state() + ", under " + policy);
      time.after(Duration.ZERO, this::shutDown);
    }
    if (!barrierOpen && decisions.opensBarrier(hosts.stream().map(SimHost::state).toList())) {
      barrierOpen = true;
      for (var each : List.copyOf(hosts)) {
        time.after(Duration.ZERO, () -> each.tell(new BarrierOpened()));
      }
    }
  }

  /** A client is served. */
  void admitted() {
    Invariant.NOBODY_BEFORE_THE_BARRIER.require(
        policy.serve() == Serve.REMAINING || wereAllPrepared, () -> "a client is admitted");
  }

  /** The name of a stopped cluster is configured, or started, again. */
  void beginAgain(SimHost stopped) {
    if (!shuttingDown) {
      var barrier = barrierOpen ? Barrier.OPEN : StartUp.barrier(policy.serve());
      var next = new SimHost(this, stopped.life().beginAgain(barrier, time.now()));
      hosts.set(hosts.indexOf(stopped), next);
    }
  }

  private Optional<Retry> retry() {
    return chance.onceIn(3)
        ? Optional.empty()
        : Optional.of(
            new Retry(
                chance.oneOf(List.of(Retry.UNLIMITED, 1, 2, 3)),
                Duration.ofMillis(500),
                Duration.ofSeconds(4)));
  }

  private void start() {
    int clusters = chance.between(2, NAMES.size());
    trace.note(policy + ", " + clusters + " clusters, one failure in " + oneFailureIn);
    for (var name : NAMES.subList(0, clusters)) {
      hosts.add(new SimHost(this, Life.begin(name, StartUp.barrier(policy.serve()), time.now())));
    }
  }

  private void disturb() {
    var host = chance.oneOf(hosts);
    switch (chance.between(1, 18)) {
      case 1, 2, 3, 4, 5, 6 -> reloadUnlessDown();
      case 7, 8, 9 -> host.tell(new RetryAsked());
      case 10, 11 -> host.tell(new DrainAsked(drainDeadline()));
      case 12, 13 -> startAgain(host);
      case 14 -> {
        if (chance.onceIn(6)) {
          shutDown();
        }
      }
      case 15, 16 -> replaceSetUp(host);
      default -> {}
    }
  }

  /** Somebody does not wait for a set-up to end before bringing a newer configuration. */
  private static void replaceSetUp(SimHost host) {
    if (host.state() instanceof Initializing) {
      host.tell(new ConfigurationAccepted(host.life().nextGeneration()));
    }
  }

  private void reloadUnlessDown() {
    if (!shuttingDown) {
      reloader.reload();
    }
  }

  private void startAgain(SimHost host) {
    if (host.state() instanceof Stopped(_, Ending ending, _) && ending == Ending.DRAINED) {
      beginAgain(host);
    }
  }

  private void shutDown() {
    shuttingDown = true;
    trace.note(time.now() + " shutdown");
    var limit = time.now().plus(SHUTDOWN_LIMIT);
    for (var host : List.copyOf(hosts)) {
      var own = drainDeadline();
      host.tell(new ShutdownAsked(own.isBefore(limit) ? own : limit));
    }
  }

  private void checkSettled() {
    Invariant.EVERYTHING_SETTLES.require(
        !reloader.isRunning(),
        () -> "a reload does not end: " + hosts.stream().map(SimHost::state).toList());
    for (var host : hosts) {
      boolean settled =
          switch (host.state()) {
            case Serving serving -> serving.change() instanceof Change.None;
            case Failed _ -> host.witness().isExhausted() && policy.serve() == Serve.REMAINING;
            case Stopped _ -> true;
            default -> false;
          };
      Invariant.EVERYTHING_SETTLES.require(
          settled, () -> host.life().name() + " rests as " + host.state() + " under " + policy);
    }
  }

  private static boolean isPreparedOrGone(SimHost host) {
    return host.state() instanceof Stopped || host.holdings().isComplete(host.life().generation());
  }
}
