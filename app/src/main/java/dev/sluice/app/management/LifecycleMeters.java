package dev.sluice.app.management;

import dev.sluice.lifecycle.ClusterState.Kind;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.ProxyState;
import dev.sluice.lifecycle.Step;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.Metric;
import dev.sluice.proxy.Metric.Label;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxyListener;
import dev.sluice.proxy.ProxyMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** What the lives of virtual clusters look like to Prometheus. */
public final class LifecycleMeters implements ProxyListener {

  private static final double MILLIS = 1000.0;

  private static final Metric PROXY_STATE =
      Metric.gauge(
          "sluice.proxy.state",
          "1 for the state that the proxy as a whole is in, 0 for the others.",
          "First of all. `partial` and `unavailable` want a look at the virtual clusters.",
          Label.of(
              "state",
              "of the proxy as a whole",
              Arrays.stream(ProxyState.values()).map(ProxyState::label)));
  private static final Metric STATE =
      Metric.gauge(
          "sluice.virtual.cluster.state",
          "1 for the state that the virtual cluster is in, 0 for the others.",
          "Clients of one virtual cluster are not served; `sluice status NAME` says why.",
          ProxyMetrics.CLUSTER,
          kinds("state", "of the virtual cluster"));
  private static final Metric STATE_DURATION =
      Metric.gauge(
              "sluice.virtual.cluster.state.duration",
              "How long the virtual cluster has been in its state.",
              "`initializing` or `draining` lasts: something is awaited that does not come.",
              ProxyMetrics.CLUSTER)
          .in("seconds");
  private static final Metric GENERATION =
      Metric.gauge(
          "sluice.virtual.cluster.generation",
          "How many configurations of the virtual cluster have been taken in, restarts included.",
          "Did a reload reach it, and when.",
          ProxyMetrics.CLUSTER);
  private static final Metric TRANSITIONS =
      Metric.counter(
          "sluice.virtual.cluster.transitions",
          "Changes of state.",
          "It fails and is retried again and again; the history is in `sluice status NAME -o json`.",
          ProxyMetrics.CLUSTER,
          kinds("from", "the state before"),
          kinds("to", "the state after"));

  private static final List<Metric> OF_CLUSTERS =
      List.of(STATE, STATE_DURATION, GENERATION, TRANSITIONS);

  /** All that are built here. */
  public static final List<Metric> METRICS =
      List.of(PROXY_STATE, STATE, STATE_DURATION, GENERATION, TRANSITIONS);

  private final MeterRegistry registry;

  /** Shows one virtual cluster more; nothing before there is a proxy. */
  private volatile Consumer<String> oneMore = _ -> {};

  public LifecycleMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Every state of every virtual cluster has a series from the first moment. */
  public void show(Proxy proxy, Clock clock) {
    oneMore = name -> show(proxy, name, clock);
    for (var state : ProxyState.values()) {
      PROXY_STATE
          .newGauge(proxy, p -> p.state() == state ? 1 : 0, state.label())
          .strongReference(true)
          .register(registry);
    }
    for (var view : proxy.virtualClusters()) {
      show(proxy, view.life().name(), clock);
    }
  }

  private void show(Proxy proxy, String name, Clock clock) {
    for (var kind : Kind.values()) {
      gauge(STATE, proxy, view -> is(view, kind), name, kind.label());
    }
    gauge(STATE_DURATION, proxy, view -> seconds(view, clock), name);
    gauge(GENERATION, proxy, view -> view.life().generation(), name);
  }

  /** The first of the labels' values is the name of the virtual cluster. */
  private void gauge(
      Metric metric, Proxy proxy, ToDoubleFunction<ClusterView> value, String... labels) {
    metric
        .newGauge(
            proxy,
            p -> p.virtualCluster(labels[0]).map(value::applyAsDouble).orElse(Double.NaN),
            labels)
        .strongReference(true)
        .register(registry);
  }

  private static Label kinds(String name, String says) {
    return Label.of(name, says, Arrays.stream(Kind.values()).map(Kind::label));
  }

  private static double is(ClusterView view, Kind kind) {
    return view.life().state().kind() == kind ? 1 : 0;
  }

  private static double seconds(ClusterView view, Clock clock) {
    return Duration.between(view.life().since(), clock.instant()).toMillis() / MILLIS;
  }

  @Override
  public void stepped(Life before, Life after, Step step) {
    if (step instanceof Step.Moved) {
      TRANSITIONS
          .newCounter(after.name(), before.state().kind().label(), after.state().kind().label())
          .register(registry)
          .increment();
    }
  }

  @Override
  public void added(String name) {
    oneMore.accept(name);
  }

  /** Its series disappear, and what was counted of it. */
  @Override
  public void removed(String name) {
    registry.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> name.equals(id.getTag(ProxyMetrics.CLUSTER.name())))
        .filter(id -> OF_CLUSTERS.stream().anyMatch(metric -> metric.name().equals(id.getName())))
        .forEach(registry::remove);
  }
}
