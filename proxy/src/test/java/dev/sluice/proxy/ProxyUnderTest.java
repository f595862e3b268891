package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A proxy with virtual clusters on ports that were free a moment ago. Closing it stops it and
 * checks that nothing is left over: no connection, no request in flight, no buffer, no exception
 * that somebody swallowed.
 */
final class ProxyUnderTest implements AutoCloseable {

  static final String NAME = "one";
  static final int NODES = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Log log = new Log();
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final Proxy proxy;
  private @Nullable String expectedDefect;

  /** What a test may want otherwise. */
  record Wish(LimitsSpec limits, NetworkSpec network, Duration drainTimeout) {

    static final Wish DEFAULT =
        new Wish(LimitsSpec.DEFAULT, NetworkSpec.DEFAULT, Duration.ofSeconds(10));

    /** Time-outs of the one, bounds of the other. */
    Wish and(Wish bounds) {
      return new Wish(bounds.limits, network, drainTimeout);
    }

    Wish limits(LimitsSpec limits) {
      return new Wish(limits, network, drainTimeout);
    }

    Wish network(NetworkSpec network) {
      return new Wish(limits, network, drainTimeout);
    }

    Wish drainTimeout(Duration drainTimeout) {
      return new Wish(limits, network, drainTimeout);
    }
  }

  private ProxyUnderTest(ProxySpec spec, ProxyListener listener) {
    this.proxy = Proxy.start(spec, registry, Clock.systemUTC(), listener);
  }

  /** Serving. */
  static ProxyUnderTest inFrontOf(StubBroker broker) {
    return inFrontOf(broker, Wish.DEFAULT);
  }

  /** Serving, with these filters. */
  static ProxyUnderTest inFrontOf(StubBroker broker, ScriptedFilter... filters) {
    var cluster = cluster(NAME, broker.endpoint(), FreePorts.inARow(NODES + 1));
    var running =
        start(
            NetworkSpec.DEFAULT,
            FailurePolicy.DEFAULT,
            List.of(ScriptedFilter.on(cluster, filters)));
    running.awaitState(NAME, ClusterState.Serving.class);
    return running;
  }

  static ProxyUnderTest inFrontOf(StubBroker broker, Wish wish) {
    return inFrontOf(List.of(broker.endpoint()), wish);
  }

  static ProxyUnderTest inFrontOf(List<Endpoint> bootstrapServers, Wish wish) {
    var running =
        start(
            wish.network,
            FailurePolicy.DEFAULT,
            List.of(
                cluster(
                    NAME,
                    bootstrapServers,
                    FreePorts.inARow(NODES + 1),
                    wish.limits,
                    wish.drainTimeout)));
    running.awaitState(NAME, ClusterState.Serving.class);
    return running;
  }

  static ProxyUnderTest start(
      NetworkSpec network, FailurePolicy policy, List<VirtualClusterSpec> clusters) {
    return start(network, policy, clusters, (_, _, _) -> {});
  }

  static ProxyUnderTest start(
      NetworkSpec network,
      FailurePolicy policy,
      List<VirtualClusterSpec> clusters,
      ProxyListener listener) {
    return new ProxyUnderTest(new ProxySpec(network, policy, clusters), listener);
  }

  /** Serving; a shutdown closes its ports first. */
  static ProxyUnderTest closingPortsFirst(StubBroker broker) {
    var cluster = cluster(NAME, broker.endpoint(), FreePorts.inARow(NODES + 1));
    var running =
        new ProxyUnderTest(
            new ProxySpec(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, true, List.of(cluster)),
            (_, _, _) -> {});
    running.awaitState(NAME, ClusterState.Serving.class);
    return running;
  }

  /** Serving; drains like this. */
  static ProxyUnderTest draining(StubBroker broker, DrainSpec drain) {
    var cluster = cluster(NAME, broker.endpoint(), FreePorts.inARow(NODES + 1));
    var running =
        start(
            NetworkSpec.DEFAULT,
            FailurePolicy.DEFAULT,
            List.of(
                new VirtualClusterSpec(
                    cluster.name(),
                    drain,
                    cluster.bootstrapServers(),
                    cluster.gateways(),
                    cluster.limits())));
    running.awaitState(NAME, ClusterState.Serving.class);
    return running;
  }

  static VirtualClusterSpec cluster(String name, Endpoint bootstrapServer, int firstPort) {
    return cluster(
        name, List.of(bootstrapServer), firstPort, LimitsSpec.DEFAULT, DrainSpec.DEFAULT_TIMEOUT);
  }

  static VirtualClusterSpec cluster(
      String name,
      List<Endpoint> bootstrapServers,
      int firstPort,
      LimitsSpec limits,
      Duration drainTimeout) {
    return new VirtualClusterSpec(
        name, drainTimeout, bootstrapServers, List.of(gateway("127.0.0.1", firstPort)), limits);
  }

  static GatewaySpec gateway(String bindAddress, int firstPort) {
    return new GatewaySpec(
        "local",
        Optional.of(bindAddress),
        new Endpoint("127.0.0.1", firstPort),
        firstPort + 1,
        List.of(new NodeIdRange("all", 1, NODES)),
        "127.0.0.1");
  }

  /** Somebody comes, asks, has its answer, and leaves. */
  static void assertEchoedAt(Endpoint place) throws IOException {
    try (var client = Peer.connect(place)) {
      client.write(Frames.heartbeat(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  static void assertRefusedAt(Endpoint place) throws IOException {
    try (var _ = Peer.connect(place)) {
      throw new AssertionError("expected " + place + " to refuse, found it open");
    } catch (ConnectException e) {
      assertThat(e).hasMessageContaining("refused");
    }
  }

  static ServerSocket occupy(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  /** Gives an occupied port back. */
  static void free(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Proxy proxy() {
    return proxy;
  }

  MeterRegistry registry() {
    return registry;
  }

  Log log() {
    return log;
  }

  /** The connection of the one client that is here. */
  SocketChannel onlyClient() {
    return proxy.host().host(NAME).orElseThrow().generations().held().stream()
        .flatMap(generation -> generation.connections().stream())
        .reduce(
            (_, _) -> {
              throw new AssertionError("expected one client, found more");
            })
        .orElseThrow()
        .client();
  }

  ClusterView view() {
    return proxy.virtualCluster(NAME).orElseThrow();
  }

  Endpoint bootstrap() {
    return view().spec().gateways().getFirst().bootstrapAddress();
  }

  Endpoint node(int node) {
    return new Endpoint("127.0.0.1", bootstrap().port() + node);
  }

  Peer connect() throws IOException {
    return Peer.connect(bootstrap());
  }

  double value(String meter) {
    return registry.get(meter).tag("virtual_cluster", NAME).meters().stream()
        .flatMap(one -> java.util.stream.StreamSupport.stream(one.measure().spliterator(), false))
        .mapToDouble(measurement -> measurement.getValue())
        .sum();
  }

  /** How many client connections have ended, for whatever cause. */
  double disconnects() {
    return registry.find("sluice.disconnects").counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  double disconnects(DisconnectCause cause) {
    return registry.get("sluice.disconnects").tag("cause", cause.label()).counter().count();
  }

  /** How often somebody ran into a limit. */
  double reached(Limit limit) {
    return registry.get("sluice.limit.reached").tag("limit", limit.label()).counter().count();
  }

  /** How many clients were led to no virtual cluster. */
  double unled(Unled reason) {
    return registry.get("sluice.unled.clients").tag("reason", reason.label()).counter().count();
  }

  /** What is logged as a defect with these words in it was made up. */
  void expectDefect(String words) {
    expectedDefect = words;
  }

  void awaitDisconnect(DisconnectCause cause) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(disconnects(cause)).as("%s", cause).isEqualTo(1));
  }

  void awaitState(String name, Class<? extends ClusterState> state) {
    await()
        .atMost(PATIENCE)
        .until(() -> proxy.virtualCluster(name).orElseThrow().life().state(), state::isInstance);
  }

  void awaitQuiet() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        proxy.virtualClusters().stream()
                            .map(view -> view.connections() + "/" + view.requestsInFlight()))
                    .as("connections/requests in flight")
                    .allMatch("0/0"::equals));
  }

  Ended stop() {
    var _ = proxy.stop("The test is over.");
    return awaitEnded();
  }

  Ended awaitEnded() {
    try {
      return proxy.ended().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("the proxy did not end: " + proxy.lives(), e);
    }
  }

  @Override
  public void close() {
    try {
      if (!proxy.isStopping()) {
        awaitQuiet();
      }
    } finally {
      stop();
      log.close();
    }
    assertThat(proxy.virtualClusters())
        .allSatisfy(view -> assertThat(view.requestsInFlight()).as("in flight").isZero());
    assertThat(log.swallowed()).as("warnings of Netty").isEmpty();
    assertThat(log.errors())
        .as("defects")
        .filteredOn(line -> line.contains("defect of the proxy"))
        .allMatch(line -> expectedDefect != null && line.contains(expectedDefect));
    LeakRecorder.assertNothingLeaked();
  }
}
