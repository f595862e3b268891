package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.StartUp;
import dev.sluice.lifecycle.Step;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the virtual clusters of a proxy: which there are, when the first client may be served, and
 * when all is over. Belongs to the control thread, but what is said to be safe from elsewhere.
 */
final class ProxyHost {

  private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

  /** Of how many removed virtual clusters it is known how they ended. */
  private static final int FORMER_LIVES = 1_000;

  private final ProxySpec spec;
  private final Engine engine;
  private final Runnable whenOver;
  private final List<ProxyListener> listeners = new CopyOnWriteArrayList<>();
  private final ReloadHost reloads;
  private final Map<String, Life> formerLives = new LinkedHashMap<>();

  /** Never changed: each change makes another one. */
  private volatile SequencedMap<String, VirtualClusterHost> hosts = new LinkedHashMap<>();

  /** Succeeds when all that removed clusters held is gone. */
  private Future<?> removed;

  private boolean barrierOpened;
  private volatile @Nullable Ended ending;

  /**
   * @param whenOver is told once the proxy shuts down and every cluster is stopped and holds
   *     nothing; perhaps more than once
   */
  ProxyHost(ProxySpec spec, Engine engine, ProxyListener listener, Runnable whenOver) {
    this.spec = spec;
    this.engine = engine;
    this.whenOver = whenOver;
    this.removed = engine.control().newSucceededFuture(null);
    this.reloads = new ReloadHost(this, engine);
    listeners.add(new StepLog());
    listeners.add(listener);
    listeners.add(reloads);
    var first = new LinkedHashMap<String, VirtualClusterHost>();
    for (var cluster : spec.virtualClusters()) {
      first.put(cluster.name(), host(cluster, barrier()));
    }
    hosts = first;
  }

  // ---- safe from every thread ----------------------------------------------------------------

  /** In the order of the configuration. */
  SequencedMap<String, VirtualClusterHost> hosts() {
    return Collections.unmodifiableSequencedMap(hosts);
  }

  Optional<VirtualClusterHost> host(String name) {
    return Optional.ofNullable(hosts.get(name));
  }

  List<ProxyListener> listeners() {
    return listeners;
  }

  ReloadHost reloads() {
    return reloads;
  }

  /** Why it shuts down, if it does. */
  Optional<Ended> ending() {
    return Optional.ofNullable(ending);
  }

  // ---- lives begin and end -------------------------------------------------------------------

  void begin() {
    hosts.values().forEach(VirtualClusterHost::begin);
  }

  /** The barrier of a cluster opens, unless it is the one of the start-up that holds it. */
  Step admit(VirtualClusterHost host) {
    return barrierOpened
        ? host.tell(new ClusterEvent.BarrierOpened())
        : new Step.Stayed(host.life().reason());
  }

  private VirtualClusterHost host(VirtualClusterSpec cluster, Barrier barrier) {
    var now = engine.clock().instant();
    var former = formerLives.remove(cluster.name());
    var begun =
        former == null ? Life.begin(cluster.name(), barrier, now) : former.beginAgain(barrier, now);
    return new VirtualClusterHost(cluster, begun, engine, this::recovery, new Lives());
  }

  /** With which barrier a life begins now. */
  private Barrier barrier() {
    return barrierOpened ? Barrier.OPEN : StartUp.barrier(spec.onFailure().serve());
  }

  /** A virtual cluster is configured that was not, or that is stopped. */
  Step add(VirtualClusterSpec cluster) {
    return add(cluster, barrier());
  }

  /** The same, with a barrier of its own: see {@link #admit}. */
  Step add(VirtualClusterSpec cluster, Barrier barrier) {
    if (ending != null) {
      return Refusals.shuttingDown();
    }
    var stopped = hosts.get(cluster.name());
    if (stopped != null) {
      return stopped.beginAgain(cluster, barrier);
    }
    var added = host(cluster, barrier);
    var all = new LinkedHashMap<>(hosts);
    all.put(cluster.name(), added);
    hosts = all;
    listeners.forEach(listener -> listener.added(cluster.name()));
    // A port that a former life of it has is still busy.
    removed.addListener(_ -> added.begin());
    return added.begun();
  }

  /** A virtual cluster is configured no more: it is drained, and forgotten once it is stopped. */
  Step remove(VirtualClusterHost host) {
    var step = host.tell(new ClusterEvent.RemovalAsked(deadline(host)));
    if (host.state() instanceof Stopped) {
      drop(host);
    }
    return step;
  }

  /** By when a drain of it has to have ended that begins now. */
  Instant deadline(VirtualClusterHost host) {
    return engine.clock().instant().plus(host.spec().drainTimeout());
  }

  /** From now on these come first, in this order. */
  void arrange(List<String> names) {
    var arranged = new LinkedHashMap<String, VirtualClusterHost>();
    for (var name : names) {
      host(name).ifPresent(one -> arranged.put(name, one));
    }
    hosts.forEach(arranged::putIfAbsent);
    hosts = arranged;
  }

  private void drop(VirtualClusterHost host) {
    var name = host.life().name();
    if (!hosts.containsKey(name)) {
      return;
    }
    var rest = new LinkedHashMap<>(hosts);
    rest.remove(name);
    hosts = rest;
    formerLives.put(name, host.life());
    if (formerLives.size() > FORMER_LIVES) {
      formerLives.remove(formerLives.keySet().iterator().next());
    }
    var gone = new PromiseCombiner(engine.control());
    gone.add(removed);
    gone.add(host.released());
    Promise<Void> all = engine.control().newPromise();
    gone.finish(all);
    removed = all;
    host.removeMeters();
    listeners.forEach(listener -> listener.removed(name));
  }

  // ---- what follows from steps ---------------------------------------------------------------

  private Recovery recovery(int attempt, Instant at) {
    return spec.onFailure().recoveryAfter(attempt, at, ThreadLocalRandom.current().nextDouble());
  }

  private final class Lives implements VirtualClusterHost.Listener {

    @Override
    public void stepped(Life before, Life after, Step step) {
      tell(after.name(), listener -> listener.stepped(before, after, step));
      if (!(step instanceof Step.Stayed || step instanceof Step.Refused)) {
        var aftermath = spec.onFailure().after(step);
        // The actions of this step come first.
        engine.control().execute(() -> follow(after, aftermath));
      }
    }

    @Override
    public void retryDue(VirtualClusterHost host, Instant due) {
      reloads.retryDue(host, due);
    }
  }

  private void tell(String name, Consumer<ProxyListener> what) {
    for (var listener : listeners) {
      try {
        what.accept(listener);
      } catch (RuntimeException e) {
        LOG.atError()
            .addKeyValue("virtualCluster", name)
            .setCause(e)
            .log("A listener failed; the virtual cluster goes on");
      }
    }
  }

  private void follow(Life after, FailurePolicy.Aftermath aftermath) {
    if (after.state() instanceof Stopped(_, var how, _) && how == Ending.REMOVED) {
      host(after.name()).filter(host -> host.life().equals(after)).ifPresent(this::drop);
    }
    if (reloads.withdraws(after.name())) {
      lookAtAll();
      return;
    }
    if (after.state() instanceof Failed failed && !aftermath.escalations().isEmpty()) {
      tell(after.name(), listener -> listener.failed(after, failed));
    }
    if (aftermath.shutsProxyDown()) {
      var why = "The policy is serve: none, and " + after.name() + " has failed: ";
      shutDown(new Ended(true, why + aftermath.cause()));
    }
    lookAtAll();
  }

  private void lookAtAll() {
    var states = hosts.values().stream().map(VirtualClusterHost::state).toList();
    if (ending != null) {
      if (states.stream().allMatch(ClusterState.Stopped.class::isInstance)) {
        endOnceReleased();
      }
    } else if (!barrierOpened && StartUp.opensBarrier(states)) {
      barrierOpened = true;
      hosts.values().forEach(host -> host.tell(new ClusterEvent.BarrierOpened()));
    }
  }

  // ---- the end -------------------------------------------------------------------------------

  void shutDown(Ended how) {
    if (ending != null) {
      return;
    }
    ending = how;
    LOG.atInfo()
        .addKeyValue("reason", how.why())
        .addKeyValue("shutdownTimeout", spec.network().shutdownTimeout())
        .log("Shutting down");
    reloads.shutDown();
    var now = engine.clock().instant();
    for (var host : hosts.values()) {
      var budget = shorter(host.spec().drainTimeout(), spec.network().shutdownTimeout());
      host.tell(new ClusterEvent.ShutdownAsked(now.plus(budget)));
    }
    lookAtAll();
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void endOnceReleased() {
    var released = new PromiseCombiner(engine.control());
    released.add(removed);
    hosts.values().forEach(host -> released.add((Future<?>) host.released()));
    Promise<Void> all = engine.control().newPromise();
    released.finish(all);
    all.addListener(_ -> whenOver.run());
  }
}
