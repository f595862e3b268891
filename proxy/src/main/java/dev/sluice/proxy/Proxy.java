package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.ProxyState;
import dev.sluice.lifecycle.Step;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running proxy: the virtual clusters and what they share. Safe for use from every thread; never
 * blocks.
 */
public final class Proxy {

  private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

  /** How often connections are looked for on which nothing moves. */
  private static final Duration LOOK_AROUND = Duration.ofSeconds(1);

  /** The longest that the event loops take to end, once nothing is left to do. */
  private static final Duration LOOP_END = Duration.ofSeconds(2);

  private final Engine engine;
  private final EventLoopGroup loops;
  private final ControlLoop controlLoop;
  private final Control control;
  private final ProxyHost host;
  private final Reconfiguration reconfiguration;
  private final CompletableFuture<Ended> ended = new CompletableFuture<>();

  private boolean endedAlready;

  private Proxy(ProxySpec spec, MeterRegistry registry, Clock clock, ProxyListener listener) {
    var transport = Transport.best();
    this.loops =
        new MultiThreadIoEventLoopGroup(
            spec.network().workerThreads(),
            new DefaultThreadFactory("sluice-worker"),
            transport.ioHandler());
    this.controlLoop = new ControlLoop(new DefaultThreadFactory("sluice-control"));
    this.engine =
        new Engine(
            transport,
            loops,
            task -> Thread.ofVirtual().name("tls-task").start(task),
            new SharedPorts(controlLoop),
            new Lingerers(controlLoop),
            controlLoop,
            spec.network(),
            spec.closePortsFirst(),
            new PortHolders(),
            registry,
            new ProxyMeters(registry, spec.network()),
            clock);
    this.control = new Control(engine.control());
    this.host = new ProxyHost(spec, engine, listener, this::end);
    this.reconfiguration = new Reconfiguration(host, control);
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
    var proxy = new Proxy(spec, registry, clock, listener);
    var executor = proxy.engine.control();
    executor.execute(proxy.host::begin);
    executor.scheduleAtFixedRate(
        proxy::lookAround, LOOK_AROUND.toMillis(), LOOK_AROUND.toMillis(), TimeUnit.MILLISECONDS);
    return proxy;
  }

  private void lookAround() {
    host.hosts().values().forEach(VirtualClusterHost::lookAfterConnections);
    engine.sharedPorts().tellLeftOut();
  }

  // ---- what can be seen ----------------------------------------------------------------------

  ProxyHost host() {
    return host;
  }

  /** All virtual clusters, in the order of the configuration. */
  public List<ClusterView> virtualClusters() {
    return host.hosts().values().stream().map(VirtualClusterHost::view).toList();
  }

  /** One of them; empty where there is none of that name. */
  public Optional<ClusterView> virtualCluster(String name) {
    return host.host(name).map(VirtualClusterHost::view);
  }

  /** The lives of all virtual clusters. */
  public List<Life> lives() {
    return host.hosts().values().stream().map(VirtualClusterHost::life).toList();
  }

  /** What the proxy as a whole does: derived from its clusters. */
  public ProxyState state() {
    return ProxyState.of(lives());
  }

  /** Adds somebody who hears of every step from now on; the result takes them out again. */
  public AutoCloseable listen(ProxyListener listener) {
    host.listeners().add(listener);
    return () -> host.listeners().remove(listener);
  }

  // ---- what a person may ask for -------------------------------------------------------------

  /**
   * Tries a failed virtual cluster again, now.
   *
   * @return the step that it took, refused where there is nothing to retry; empty where there is no
   *     cluster of that name; fails once the proxy has ended
   */
  public Optional<CompletionStage<Step>> retry(String name) {
    return asked(name, one -> control.supply(() -> one.tell(new ClusterEvent.RetryAsked())));
  }

  /**
   * Drains a virtual cluster and stops it. It is seen in its life when that has ended.
   *
   * @return as {@link #retry} does; refused while it is under reload
   */
  public Optional<CompletionStage<Step>> drain(String name) {
    return asked(
        name,
        one -> control.supply(() -> one.tell(new ClusterEvent.DrainAsked(host.deadline(one)))));
  }

  /**
   * A stopped virtual cluster begins a new life, with the configuration that it had.
   *
   * @return as {@link #retry} does; refused where it is not stopped
   */
  public Optional<CompletionStage<Step>> start(String name) {
    return asked(name, one -> control.supply(() -> host.add(one.spec())));
  }

  /**
   * Makes everything of a virtual cluster anew, with the configuration that it has; it never leaves
   * {@code serving}. It is under reload until the last connection has left the former generation.
   *
   * @param clients whether their connections are kept, or closed to be made anew, too
   * @return the step by which the next generation took over; what was noted, if it could not be
   *     prepared; else as {@link #retry} does, refused where it does not serve or is under reload
   */
  public Optional<CompletionStage<Step>> restart(String name, ClientConnections clients) {
    return asked(
        name, one -> control.compose(() -> new Restart(one, clients, engine.clock()).begin()));
  }

  /** A person waits while a reload does something to a cluster. */
  private Optional<CompletionStage<Step>> asked(
      String name, Function<VirtualClusterHost, CompletionStage<Step>> what) {
    return host.host(name)
        .map(
            one ->
                control.compose(
                    () ->
                        host.reloads().concerns(name)
                            ? CompletableFuture.completedFuture(Refusals.underReload())
                            : what.apply(one)));
  }

  // ---- reloads -------------------------------------------------------------------------------

  /**
   * Runs another configuration from now on. One at a time: another that is asked for meanwhile
   * waits, and a newer one takes its place.
   *
   * @return what came of it, on the control thread; fails once the proxy has ended
   */
  public CompletionStage<ReloadReport> reload(ReloadRequest request) {
    return control.compose(() -> host.reloads().reload(request));
  }

  /** What {@link #reload} would do now, and why. */
  public CompletionStage<ReloadReport> planReload(ReloadRequest request) {
    return control.supply(
        () -> ReloadReport.planned(host.reloads().plan(request), request.policy().strategy()));
  }

  /** What a reload may ask for. */
  public Reconfiguration reconfiguration() {
    return reconfiguration;
  }

  // ---- the end -------------------------------------------------------------------------------

  /**
   * Shuts down gracefully: what is in flight gets its chance, within the shutdown time-out. Asking
   * again changes nothing.
   *
   * @param why a sentence, for the log
   */
  public CompletionStage<Ended> stop(String why) {
    try {
      engine.control().execute(() -> host.shutDown(new Ended(false, why)));
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
    return host.ending().isPresent();
  }

  private void end() {
    if (endedAlready) {
      return;
    }
    endedAlready = true;
    loops
        .shutdownGracefully(0, LOOP_END.toMillis(), TimeUnit.MILLISECONDS)
        .addListener(
            _ ->
                controlLoop
                    .shutdownGracefully(0, LOOP_END.toMillis(), TimeUnit.MILLISECONDS)
                    .addListener(_ -> host.ending().ifPresent(this::ended)));
  }

  private void ended(Ended how) {
    LOG.atInfo().addKeyValue("reason", how.why()).log("Ended");
    ended.complete(how);
  }
}
