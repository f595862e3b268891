package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.ProxyState;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.StartUp;
import dev.sluice.lifecycle.Step;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running proxy: the virtual clusters and what they share. Safe for use from every thread; never
 * blocks.
 */
public final class Proxy {

  private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

  /** How often idle connections are looked for. */
  private static final Duration IDLE_CHECK = Duration.ofSeconds(1);

  /** The longest that the event loops take to end, once nothing is left to do. */
  private static final Duration LOOP_END = Duration.ofSeconds(2);

  private final ProxySpec spec;
  private final Engine engine;
  private final EventLoopGroup loops;
  private final EventExecutorGroup controls;
  private final SequencedMap<String, VirtualClusterHost> hosts = new LinkedHashMap<>();
  private final List<ProxyListener> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Ended> ended = new CompletableFuture<>();

  private boolean barrierOpened;
  private boolean endedAlready;
  private volatile @Nullable Ended ending;

  private Proxy(ProxySpec spec, MeterRegistry registry, Clock clock) {
    var transport = Transport.best();
    this.spec = spec;
    this.loops =
        new MultiThreadIoEventLoopGroup(
            spec.network().workerThreads(),
            new DefaultThreadFactory("sluice-worker"),
            transport.ioHandler());
    this.controls = new DefaultEventExecutorGroup(1, new DefaultThreadFactory("sluice-control"));
    this.engine = new Engine(transport, loops, controls.next(), spec.network(), registry, clock);
    LOG.atDebug().addKeyValue("transport", transport.name()).log("Proxy made");
  }

  /**
   * Starts every virtual cluster. Comes back at once; what becomes of them is seen in their lives.
   *
   * @param registry gets the metrics of the data path
   * @param listener hears of everything from the first step on
   */
  public static Proxy start(
      ProxySpec spec, MeterRegistry registry, Clock clock, ProxyListener listener) {
    var proxy = new Proxy(spec, registry, clock);
    proxy.listeners.add(listener);
    var barrier = StartUp.barrier(spec.onFailure().serve());
    for (var cluster : spec.virtualClusters()) {
      proxy.hosts.put(
          cluster.name(),
          new VirtualClusterHost(cluster, barrier, proxy.engine, proxy::recovery, proxy::stepped));
    }
    var control = proxy.engine.control();
    control.execute(() -> proxy.hosts.values().forEach(VirtualClusterHost::begin));
    control.scheduleAtFixedRate(
        () -> proxy.hosts.values().forEach(VirtualClusterHost::checkIdle),
        IDLE_CHECK.toMillis(),
        IDLE_CHECK.toMillis(),
        TimeUnit.MILLISECONDS);
    return proxy;
  }

  /** All virtual clusters, in the order of the configuration. */
  public List<ClusterView> virtualClusters() {
    return hosts.values().stream().map(Proxy::view).toList();
  }

  /** One of them; empty where there is none of that name. */
  public Optional<ClusterView> virtualCluster(String name) {
    return Optional.ofNullable(hosts.get(name)).map(Proxy::view);
  }

  private static ClusterView view(VirtualClusterHost host) {
    return new ClusterView(host.life(), host.spec(), host.connections(), host.requestsInFlight());
  }

  /** The lives of all virtual clusters. */
  public List<Life> lives() {
    return hosts.values().stream().map(VirtualClusterHost::life).toList();
  }

  /** What the proxy as a whole does: derived from its clusters. */
  public ProxyState state() {
    return ProxyState.of(lives());
  }

  /** Adds somebody who hears of every step from now on; the result takes them out again. */
  public AutoCloseable listen(ProxyListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /**
   * Tries a failed virtual cluster again, now.
   *
   * @return the step that it took, refused where there is nothing to retry; empty where there is no
   *     cluster of that name; fails once the proxy has ended
   */
  public Optional<CompletionStage<Step>> retry(String name) {
    return Optional.ofNullable(hosts.get(name))
        .map(host -> tell(host, new ClusterEvent.RetryAsked()));
  }

  private CompletionStage<Step> tell(VirtualClusterHost host, ClusterEvent event) {
    try {
      return CompletableFuture.supplyAsync(() -> host.tell(event), engine.control());
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("expected a running proxy, found it ended; start it again", e));
    }
  }

  /**
   * Shuts down gracefully: what is in flight gets its chance, within the shutdown time-out. Asking
   * again changes nothing.
   *
   * @param why a sentence, for the log
   */
  public CompletionStage<Ended> stop(String why) {
    try {
      engine.control().execute(() -> shutDown(new Ended(false, why)));
    } catch (RejectedExecutionException _) {
      // The control thread is no more: it has ended already.
    }
    return ended;
  }

  /** Completes when everything has ended, by {@link #stop} or by policy. */
  public CompletionStage<Ended> ended() {
    return ended;
  }

  /** Whether it shuts down, or has. */
  public boolean isStopping() {
    return ending != null;
  }

  // ---- on the control thread -----------------------------------------------------------------

  private Recovery recovery(int attempt, Instant at) {
    return spec.onFailure().recoveryAfter(attempt, at, ThreadLocalRandom.current().nextDouble());
  }

  private void stepped(Life before, Life after, Step step) {
    log(before, after, step);
    for (var listener : listeners) {
      tell(listener, before, after, step);
    }
    if (!(step instanceof Step.Stayed || step instanceof Step.Refused)) {
      var aftermath = spec.onFailure().after(step);
      // The actions of this step come first.
      engine.control().execute(() -> follow(after.name(), aftermath));
    }
  }

  private static void tell(ProxyListener listener, Life before, Life after, Step step) {
    try {
      listener.stepped(before, after, step);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("virtualCluster", after.name())
          .setCause(e)
          .log("A listener failed; the virtual cluster goes on");
    }
  }

  private void follow(String name, FailurePolicy.Aftermath aftermath) {
    if (aftermath.shutsProxyDown()) {
      var why = "The policy is serve: none, and " + name + " has failed: " + aftermath.cause();
      shutDown(new Ended(true, why));
    }
    lookAtAll();
  }

  private void lookAtAll() {
    var states = hosts.values().stream().map(VirtualClusterHost::state).toList();
    if (ending != null) {
      if (states.stream().allMatch(ClusterState.Stopped.class::isInstance)) {
        end(ending);
      }
      return;
    }
    if (!barrierOpened && StartUp.opensBarrier(states)) {
      barrierOpened = true;
      hosts.values().forEach(host -> host.tell(new ClusterEvent.BarrierOpened()));
    }
  }

  private void shutDown(Ended how) {
    if (ending != null) {
      return;
    }
    ending = how;
    LOG.atInfo()
        .addKeyValue("reason", how.why())
        .addKeyValue("shutdownTimeout", spec.network().shutdownTimeout())
        .log("Shutting down");
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

  private void end(Ended how) {
    if (endedAlready) {
      return;
    }
    endedAlready = true;
    var released = new PromiseCombiner(engine.control());
    hosts.values().forEach(host -> released.add((Future<?>) host.released()));
    Promise<Void> all = engine.control().newPromise();
    released.finish(all);
    all.addListener(
        _ ->
            loops
                .shutdownGracefully(0, LOOP_END.toMillis(), TimeUnit.MILLISECONDS)
                .addListener(_ -> endControl(how)));
  }

  private void endControl(Ended how) {
    controls
        .shutdownGracefully(0, LOOP_END.toMillis(), TimeUnit.MILLISECONDS)
        .addListener(
            _ -> {
              LOG.atInfo().addKeyValue("reason", how.why()).log("Ended");
              ended.complete(how);
            });
  }

  private static void log(Life before, Life after, Step step) {
    switch (step) {
      case Step.Moved moved ->
          (moved.state() instanceof ClusterState.Failed ? LOG.atError() : LOG.atInfo())
              .addKeyValue("virtualCluster", after.name())
              .addKeyValue("from", before.state().kind().label())
              .addKeyValue("to", moved.state().kind().label())
              .addKeyValue("generation", after.generation())
              .addKeyValue("code", moved.reason().code().label())
              .log("{}", moved.reason().sentence());
      case Step.Noted noted ->
          LOG.atInfo()
              .addKeyValue("virtualCluster", after.name())
              .addKeyValue("state", after.state().kind().label())
              .addKeyValue("code", noted.reason().code().label())
              .log("{}", noted.reason().sentence());
      case Step.Refused refused ->
          LOG.atWarn()
              .addKeyValue("virtualCluster", after.name())
              .addKeyValue("state", after.state().kind().label())
              .addKeyValue("code", refused.reason().code().label())
              .log("Refused: {}", refused.reason().sentence());
      case Step.Stayed _ -> {}
    }
  }
}
