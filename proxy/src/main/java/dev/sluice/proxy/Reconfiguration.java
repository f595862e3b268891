package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * What a reload may ask of a running proxy, virtual cluster by virtual cluster. It decides nothing:
 * whoever reloads compares configurations, chooses the way, and waits for what comes of it.
 *
 * <p>The usual course: {@link #accept}; {@link #until} the life is no longer preparing that
 * generation; if it is {@code Change.Ready}, {@link #upstreamClusterId} of both generations and
 * {@link #switchTo}, else the life's {@code lastFailure} says why not; {@link #until} the life is
 * no longer under reload. Then {@link ClusterView#lastDrain} tells what it came to.
 *
 * <p>Safe for use from every thread; never blocks. Stages complete on the control thread: what
 * depends on them must return at once. Optionals are empty where there is no cluster of that name.
 * Stages fail with {@link IllegalStateException} once the proxy has ended.
 */
public final class Reconfiguration {

  private final ProxyHost host;
  private final Control control;

  Reconfiguration(ProxyHost host, Control control) {
    this.host = host;
    this.control = control;
  }

  /**
   * Hands in another configuration. Beside a serving generation it is prepared while that serves
   * on; of a cluster that is being set up or has failed it is set up at once, and there is nothing
   * to switch to.
   *
   * @param spec with the name of the cluster that it is for
   */
  public Optional<CompletionStage<Accepted>> accept(VirtualClusterSpec spec) {
    return host.host(spec.name()).map(one -> control.supply(() -> one.accept(spec)));
  }

  /** Gives up a generation that was accepted and has not taken over. */
  public Optional<CompletionStage<Step>> cancel(String name, int generation) {
    return host.host(name)
        .map(one -> control.supply(() -> one.tell(new ClusterEvent.ReloadCancelled(generation))));
  }

  /**
   * A prepared generation takes over. The drain time-out of the generation that serves counts from
   * now.
   *
   * @param fallback what to do if it cannot be installed after a drain
   */
  public Optional<CompletionStage<Step>> switchTo(
      String name, int generation, Way way, Fallback fallback) {
    return host.host(name)
        .map(
            one ->
                control.supply(
                    () ->
                        one.tell(
                            new ClusterEvent.SwitchAsked(
                                generation, way, fallback, host.deadline(one)))));
  }

  /**
   * Adds a virtual cluster; one of that name that is stopped begins a new life with this
   * configuration.
   *
   * @return refused where there is one that is not stopped
   */
  public CompletionStage<Step> add(VirtualClusterSpec spec) {
    return control.supply(() -> host.add(spec));
  }

  /** Removes a virtual cluster: it is drained, and forgotten once it is stopped. */
  public Optional<CompletionStage<Step>> remove(String name) {
    return host.host(name).map(one -> control.supply(() -> host.remove(one)));
  }

  /**
   * The life of a cluster as soon as it is like that; perhaps at once, perhaps never. A removed
   * cluster is last seen stopped.
   *
   * @param wanted asked on the control thread, after every step
   */
  public Optional<CompletionStage<Life>> until(String name, Predicate<Life> wanted) {
    return host.host(name).map(one -> control.compose(() -> one.until(wanted)));
  }

  /**
   * The id that the Kafka cluster behind a generation has told, when that was prepared or later.
   * Empty too where it was not reached, tells nothing before authentication, or where that
   * generation is not held.
   */
  public Optional<String> upstreamClusterId(String name, int generation) {
    return host.host(name).flatMap(one -> one.generations().clusterId(generation));
  }
}
