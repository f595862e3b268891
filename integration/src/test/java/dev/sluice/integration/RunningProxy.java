package dev.sluice.integration;

import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.DrainSpec;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxySpec;
import dev.sluice.proxy.VirtualClusterSpec;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A proxy in this JVM, with virtual clusters on ports that were free a moment ago. */
final class RunningProxy implements AutoCloseable {

  /** A cluster that fails takes nobody else with it. */
  static final FailurePolicy REMAINING =
      new FailurePolicy(FailurePolicy.Serve.REMAINING, Optional.empty());

  private static final int NODES = 3;

  private final Proxy proxy;
  private final MeterRegistry registry;

  private RunningProxy(Proxy proxy, MeterRegistry registry) {
    this.proxy = proxy;
    this.registry = registry;
  }

  /** Virtual clusters of these names in front of a Kafka cluster, all serving. */
  static RunningProxy inFrontOf(EmbeddedCluster kafka, String... names) {
    return inFrontOf(kafka, DrainSpec.DEFAULT, names);
  }

  static RunningProxy inFrontOf(EmbeddedCluster kafka, DrainSpec drain, String... names) {
    var specs = Arrays.stream(names).map(name -> spec(name, kafka, drain)).toList();
    var running = start(specs, FailurePolicy.DEFAULT);
    running.awaitServing();
    return running;
  }

  static RunningProxy start(List<VirtualClusterSpec> specs, FailurePolicy onFailure) {
    return start(specs, onFailure, NetworkSpec.DEFAULT);
  }

  static RunningProxy start(
      List<VirtualClusterSpec> specs, FailurePolicy onFailure, NetworkSpec network) {
    var registry = new SimpleMeterRegistry();
    var spec = new ProxySpec(network, onFailure, specs);
    return new RunningProxy(
        Proxy.start(spec, registry, Clock.systemUTC(), (_, _, _) -> {}), registry);
  }

  static VirtualClusterSpec spec(String name, EmbeddedCluster kafka) {
    return spec(name, kafka, DrainSpec.DEFAULT);
  }

  private static VirtualClusterSpec spec(String name, EmbeddedCluster kafka, DrainSpec drain) {
    int port = FreePorts.inARow(NODES + 1);
    return new VirtualClusterSpec(
        name,
        drain,
        endpoints(kafka.bootstrapServers()),
        List.of(
            new GatewaySpec(
                "local",
                Optional.of("127.0.0.1"),
                new Endpoint("127.0.0.1", port),
                port + 1,
                List.of(new NodeIdRange("all", 1, NODES)),
                "127.0.0.1")),
        LimitsSpec.DEFAULT);
  }

  static List<Endpoint> endpoints(String bootstrapServers) {
    return Arrays.stream(bootstrapServers.split(",", -1))
        .map(server -> server.split(":", 2))
        .map(parts -> new Endpoint(parts[0], Integer.parseInt(parts[1])))
        .toList();
  }

  void awaitServing() {
    await()
        .atMost(Clients.PATIENCE)
        .until(
            proxy::lives,
            lives -> lives.stream().allMatch(life -> life.state() instanceof ClusterState.Serving));
  }

  Proxy proxy() {
    return proxy;
  }

  MeterRegistry registry() {
    return registry;
  }

  String bootstrapServers(String name) {
    return proxy
        .virtualCluster(name)
        .orElseThrow()
        .spec()
        .gateways()
        .getFirst()
        .bootstrapAddress()
        .toString();
  }

  @Override
  public void close() {
    try {
      proxy
          .stop("The test is over.")
          .toCompletableFuture()
          .get(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException
        | java.util.concurrent.ExecutionException
        | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException("the proxy did not stop", e);
    }
  }
}
