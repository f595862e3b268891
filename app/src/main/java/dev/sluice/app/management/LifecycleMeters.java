package dev.sluice.app.management;

import dev.sluice.lifecycle.ClusterState.Kind;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.ProxyState;
import dev.sluice.lifecycle.Step;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxyListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** What the lives of virtual clusters look like to Prometheus. */
public final class LifecycleMeters implements ProxyListener {

  private static final double MILLIS = 1000.0;

  private static final String CLUSTER = "virtual_cluster";
  private static final String FAMILY = "sluice.virtual.cluster";

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
      Gauge.builder("sluice.proxy.state", proxy, p -> p.state() == state ? 1 : 0)
          .description("1 for the state that the proxy as a whole is in")
          .tag("state", state.label())
          .strongReference(true)
          .register(registry);
    }
    for (var view : proxy.virtualClusters()) {
      show(proxy, view.life().name(), clock);
    }
  }

  private void show(Proxy proxy, String name, Clock clock) {
    for (var kind : Kind.values()) {
      gauge(FAMILY + ".state", proxy, name, view -> is(view, kind))
          .description("1 for the state that the virtual cluster is in")
          .tag("state", kind.label())
          .register(registry);
    }
    gauge(FAMILY + ".state.duration", proxy, name, view -> seconds(view, clock))
        .description("How long the virtual cluster has been in its state")
        .baseUnit("seconds")
        .register(registry);
    gauge(FAMILY + ".generation", proxy, name, view -> view.life().generation())
        .description("The generation that the state is about")
        .register(registry);
  }

  private static Gauge.Builder<Proxy> gauge(
      String meter, Proxy proxy, String name, ToDoubleFunction<ClusterView> value) {
    return Gauge.builder(
            meter, proxy, p -> p.virtualCluster(name).map(value::applyAsDouble).orElse(Double.NaN))
        .tag(CLUSTER, name)
        .strongReference(true);
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
      Counter.builder(FAMILY + ".transitions")
          .description("Transitions of the virtual cluster")
          .tag(CLUSTER, after.name())
          .tag("from", before.state().kind().label())
          .tag("to", after.state().kind().label())
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
        .filter(id -> id.getName().startsWith(FAMILY) && name.equals(id.getTag(CLUSTER)))
        .forEach(registry::remove);
  }
}
