package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.protocol.Addresses;
import dev.sluice.protocol.ApiVersions;
import dev.sluice.protocol.Endpoint;
import dev.sluice.protocol.EndpointSkim;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.MalformedFrameException;
import dev.sluice.protocol.NodesSeen;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that one accepted configuration of a virtual cluster holds: listening sockets, the
 * brokers known behind it, its client connections. Acquired as a whole or not at all; released
 * exactly once.
 */
final class Generation implements ListeningSockets.Doorkeeper {

  private static final Logger LOG = LoggerFactory.getLogger(Generation.class);

  private final int number;
  private final VirtualClusterSpec spec;
  private final Engine engine;
  private final ClusterMeters meters;
  private final List<NodePorts> gateways;
  private final Map<NodePorts, Addresses> addresses;
  private final Brokers brokers;
  private final Discovery discovery;
  private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();

  /** Who arrived during a drain, unread. At most what one round of accepting takes. */
  private final Set<SocketChannel> held = ConcurrentHashMap.newKeySet();

  private @Nullable ListeningSockets sockets;

  /** How many of the connections are served: those over the bound are not. */
  private final AtomicInteger admitted = new AtomicInteger();

  /** Set on the control thread; who arrives at the same time looks after having joined. */
  private volatile boolean released;

  private volatile @Nullable Quiescing quiescing;
  private volatile @Nullable Terms terms;
  private @Nullable QuietTours tours;
  private QuietReport report = QuietReport.NONE;

  private Generation(int number, VirtualClusterSpec spec, Engine engine, ClusterMeters meters) {
    this.number = number;
    this.spec = spec;
    this.engine = engine;
    this.meters = meters;
    this.gateways = spec.gateways().stream().map(NodePorts::new).toList();
    this.brokers = new Brokers(spec.name(), spec.bootstrapServers(), gateways);
    this.discovery = new Discovery(spec.name(), engine, brokers);
    this.addresses =
        gateways.stream()
            .collect(
                Collectors.toMap(
                    gateway -> gateway,
                    gateway -> new Addresses(gateway::advertised, nodesSeen())));
  }

  /**
   * Acquires everything, on the control thread.
   *
   * @return fails with a {@link SetUpException}, after releasing what was acquired
   */
  static Future<Generation> acquire(
      int number, VirtualClusterSpec spec, Engine engine, ClusterMeters meters) {
    var generation = new Generation(number, spec, engine, meters);
    Promise<Generation> acquired = engine.control().newPromise();
    generation
        .resolveUpstream()
        .addListener(
            (Future<Void> resolved) -> {
              if (resolved.isSuccess()) {
                generation.listen(acquired);
              } else {
                acquired.setFailure(resolved.cause());
              }
            });
    return acquired;
  }

  /** One bootstrap name that resolves is enough: an upstream that is down fails no cluster. */
  private Future<Void> resolveUpstream() {
    Promise<Void> resolved = engine.control().newPromise();
    var servers = spec.bootstrapServers();
    var unresolved = new ArrayList<Endpoint>();
    for (var server : servers) {
      Resolver.resolve(server.host(), engine.control())
          .addListener(
              found -> {
                if (found.isSuccess()) {
                  resolved.trySuccess(null);
                  return;
                }
                unresolved.add(server);
                if (unresolved.size() == servers.size()) {
                  resolved.tryFailure(unresolvable(unresolved));
                }
              });
    }
    return resolved;
  }

  private static SetUpException unresolvable(List<Endpoint> servers) {
    return new SetUpException(
        "bootstrap-unresolvable",
        "expected at least one of targetCluster.bootstrapServers to resolve, found no such host: "
            + Listed.of(servers)
            + "; correct the names, or see that they can be looked up from here, and retry");
  }

  private void listen(Promise<Generation> acquired) {
    ListeningSockets.bind(gateways, engine, this)
        .addListener(
            (Future<ListeningSockets> bound) -> {
              if (bound.isSuccess()) {
                sockets = bound.getNow();
                discovery.refresh();
                acquired.setSuccess(this);
              } else if (bound.cause() instanceof RefusedPorts refused) {
                explain(refused, acquired);
              } else {
                acquired.setFailure(bound.cause());
              }
            });
  }

  /** Finding out who holds a port blocks, so it is done elsewhere. */
  private static void explain(RefusedPorts refused, Promise<Generation> acquired) {
    Thread.ofVirtual().name("port-holder").start(() -> acquired.setFailure(refused.explained()));
  }

  int number() {
    return number;
  }

  String name() {
    return spec.name();
  }

  LimitsSpec limits() {
    return spec.limits();
  }

  ClusterMeters meters() {
    return meters;
  }

  Set<ClientConnection> connections() {
    return connections;
  }

  /** Who arrives, or has waited, is served. */
  void admit() {
    if (sockets != null) {
      sockets.admit();
    }
  }

  Duration idleTimeout() {
    return engine.network().idleTimeout();
  }

  @Override
  public void arrived(SocketChannel client, NodePorts ports, OptionalInt node) {
    if (quiescing != null) {
      hold(client);
      return;
    }
    var connection = new ClientConnection(this, ports, node, client);
    connections.add(connection);
    if (admitted.incrementAndGet() > spec.limits().maxConnections()) {
      admitted.decrementAndGet();
      connection.end(
          DisconnectCause.TOO_MANY_CONNECTIONS,
          "the virtual cluster has its limits.maxConnections of "
              + spec.limits().maxConnections()
              + " connections");
    } else if (released) {
      connection.force();
    } else if (terms != null) {
      connection.mark(terms);
    }
  }

  /** Who was accepted just when a drain began waits like those who are not accepted any more. */
  private void hold(SocketChannel client) {
    client.config().setAutoRead(false);
    held.add(client);
    if (released) {
      client.close();
    }
  }

  /** A client connection is over, or was refused for want of room. */
  void closed(ClientConnection connection, DisconnectCause cause) {
    if (cause != DisconnectCause.TOO_MANY_CONNECTIONS) {
      admitted.decrementAndGet();
    }
    meters.disconnected(cause);
    connections.remove(connection);
    if (quiescing != null) {
      engine.control().execute(() -> closedWhileQuiescing(connection));
    }
  }

  private void closedWhileQuiescing(ClientConnection connection) {
    if (tours != null) {
      tours.closed(connection);
    }
    reportIfQuiet();
  }

  NodesSeen nodesSeen() {
    return (node, host, port, _) -> brokers.seen(node, host, port);
  }

  /** Replaces the end points in responses that pass by at a gateway. */
  EndpointSkim skim(NodePorts gateway, ByteBufAllocator allocator) {
    return new EndpointSkim(gateway::advertised, nodesSeen(), allocator);
  }

  /**
   * A response with the addresses that clients of a gateway can reach, in place of the brokers'
   * own.
   *
   * @param frame with its length; stays the caller's
   */
  ByteBuf rewrite(NodePorts gateway, short key, short version, ByteBuf frame)
      throws MalformedFrameException {
    var body =
        frame.slice(
            frame.readerIndex() + FrameCheck.LENGTH_BYTES,
            frame.readableBytes() - FrameCheck.LENGTH_BYTES);
    return key == ApiVersions.API_KEY
        ? ApiVersions.narrowed(version, body, frame.alloc())
        : Objects.requireNonNull(addresses.get(gateway)).rewrite(key, version, body, frame.alloc());
  }

  /** A connected upstream channel for a node, or for any if empty; see {@link Dial#to}. */
  Future<Channel> dial(OptionalInt node, EventLoop loop) {
    if (!brokers.knows(node)) {
      Promise<Channel> dialled = loop.newPromise();
      discovery
          .refresh()
          .addListener(
              _ ->
                  loop.execute(
                      () -> dialNow(node, loop).addListener(new PromiseNotifier<>(dialled))));
      return dialled;
    }
    var dialled = dialNow(node, loop);
    if (node.isPresent()) {
      dialled.addListener(
          done -> {
            if (!done.isSuccess()) {
              discovery.refresh(); // It may have moved: the client's next attempt should know.
            }
          });
    }
    return dialled;
  }

  private Future<Channel> dialNow(OptionalInt node, EventLoop loop) {
    return Dial.to(brokers.candidates(node), loop, engine.transport(), engine.network());
  }

  /**
   * Serves nobody new and brings every connection to its end in the way that its client notices
   * least, by the deadline at the latest.
   *
   * @param pause for how long a client is asked to send nothing
   */
  void quiesce(Duration pause, Duration until, Quiescing quiescing) {
    var agreed = Terms.of(Terms.Way.PAUSE_AND_CLOSE, pause, System.nanoTime(), until);
    var begun = new QuietTours(agreed, engine.control());
    this.terms = agreed;
    this.tours = begun;
    this.quiescing = quiescing;
    if (sockets != null) {
      sockets.hold();
    }
    begun.begin(connections);
    reportIfQuiet();
  }

  /** What going quiet has come to so far. On the control thread. */
  QuietReport quietReport() {
    return tours == null ? report : report.withReconnectWaitsRanOut(tours.waitsRanOut());
  }

  /** A connection has gone quiet. */
  void wentQuiet(QuietReport one) {
    meters.wentQuiet(one);
    engine.control().execute(() -> report = report.plus(one));
  }

  private void reportIfQuiet() {
    var waiting = quiescing;
    if (waiting != null && connections.isEmpty()) {
      waiting.quiesced();
    }
  }

  /** Ends what is left of the connections, at once. */
  void cut() {
    if (!connections.isEmpty()) {
      LOG.atWarn()
          .addKeyValue("virtualCluster", name())
          .addKeyValue("connections", connections.size())
          .addKeyValue("requestsInFlight", meters.inFlight())
          .log("Cutting connections that did not become quiet in time");
    }
    connections.forEach(ClientConnection::force);
  }

  /**
   * Lets go of everything; once.
   *
   * @return completes when the listening sockets are closed
   */
  Future<?> release() {
    if (released) {
      throw new IllegalStateException(
          "expected generation " + number + " of " + name() + " to be held, found it released");
    }
    released = true;
    if (tours != null) {
      tours.end();
    }
    cut();
    held.forEach(SocketChannel::close);
    return sockets == null ? engine.control().newSucceededFuture(null) : sockets.close();
  }

  /** Is told, on the control thread, when no connection is left. May be told more than once. */
  interface Quiescing {
    void quiesced();
  }
}
