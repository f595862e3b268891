package dev.sluice.proxy;

import dev.sluice.protocol.Addresses;
import dev.sluice.protocol.Endpoint;
import dev.sluice.protocol.NodesSeen;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  /** How many names or ports a message lists at most. */
  private static final int MAX_LISTED = 5;

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

  private @Nullable ListeningSockets sockets;
  private boolean released;
  private @Nullable Quiescing quiescing;

  private Generation(int number, VirtualClusterSpec spec, Engine engine, ClusterMeters meters) {
    this.number = number;
    this.spec = spec;
    this.engine = engine;
    this.meters = meters;
    this.gateways = spec.gateways().stream().map(NodePorts::new).toList();
    this.brokers =
        new Brokers(
            spec.bootstrapServers(),
            node -> gateways.stream().anyMatch(gateway -> gateway.advertised(node) != null));
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
            + listed(servers)
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
              } else if (bound.cause() instanceof ListeningSockets.BindException refused) {
                explain(refused, acquired);
              } else {
                acquired.setFailure(
                    new SetUpException(
                        "bind-failed",
                        "expected an address of this machine as bindAddress, found: "
                            + bound.cause().getMessage()
                            + "; correct it and retry"));
              }
            });
  }

  /** Finding out who holds a port blocks, so it is done elsewhere. */
  private static void explain(
      ListeningSockets.BindException refused, Promise<Generation> acquired) {
    Thread.ofVirtual()
        .name("port-holder")
        .start(
            () -> {
              var ports =
                  refused.refused().stream()
                      .limit(MAX_LISTED)
                      .map(Generation::portInWords)
                      .collect(Collectors.joining(", "));
              int more = refused.refused().size() - MAX_LISTED;
              acquired.setFailure(
                  new SetUpException(
                      "port-busy",
                      "expected free ports to listen on, found "
                          + ports
                          + (more > 0 ? " and " + more + " more" : "")
                          + "; free them or choose others, and retry"));
            });
  }

  private static String portInWords(ListeningSockets.Refused refused) {
    return "port "
        + refused.port()
        + " ("
        + refused.purpose()
        + ") "
        + PortHolder.of(refused.port())
            .map(holder -> "taken by " + holder)
            .orElseGet(() -> "refused: " + refused.cause().getMessage());
  }

  private static String listed(List<?> things) {
    return things.stream().limit(MAX_LISTED).map(Object::toString).collect(Collectors.joining(", "))
        + (things.size() > MAX_LISTED ? " and " + (things.size() - MAX_LISTED) + " more" : "");
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

  @Override
  public void arrived(SocketChannel client, NodePorts ports, OptionalInt node) {
    var connection = new ClientConnection(this, ports, node, client);
    connections.add(connection);
    if (connections.size() > spec.limits().maxConnections()) {
      connection.end(
          DisconnectCause.TOO_MANY_CONNECTIONS,
          "the virtual cluster has its limits.maxConnections of "
              + spec.limits().maxConnections()
              + " connections");
    } else if (quiescing != null) {
      connection.quiesce();
    }
  }

  /** A client connection is closed. */
  void closed(ClientConnection connection, DisconnectCause cause) {
    if (connections.remove(connection)) {
      meters.disconnected(cause);
      engine.control().execute(this::reportIfQuiet);
    }
  }

  NodesSeen nodesSeen() {
    return (node, host, port, _) -> brokers.seen(node, host, port);
  }

  Addresses addresses(NodePorts gateway) {
    return java.util.Objects.requireNonNull(addresses.get(gateway));
  }

  /** A connected upstream channel for a node, or for any if empty; see {@link Dial#to}. */
  Future<Channel> dial(OptionalInt node, EventLoop loop) {
    if (brokers.knows(node)) {
      return Dial.to(brokers.candidates(node), loop, engine.transport(), engine.network());
    }
    Promise<Channel> dialled = loop.newPromise();
    discovery
        .refresh()
        .addListener(
            _ ->
                loop.execute(
                    () ->
                        Dial.to(
                                brokers.candidates(node),
                                loop,
                                engine.transport(),
                                engine.network())
                            .addListener(
                                (Future<Channel> done) -> {
                                  if (done.isSuccess()) {
                                    dialled.setSuccess(done.getNow());
                                  } else {
                                    dialled.setFailure(done.cause());
                                  }
                                })));
    return dialled;
  }

  /** Serves nobody new and ends every connection once it is answered. */
  void quiesce(Quiescing quiescing) {
    this.quiescing = quiescing;
    if (sockets != null) {
      sockets.hold();
    }
    connections.forEach(ClientConnection::quiesce);
    reportIfQuiet();
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
    cut();
    return sockets == null ? engine.control().newSucceededFuture(null) : sockets.close();
  }

  /** Is told, on the control thread, when no connection is left. May be told more than once. */
  interface Quiescing {
    void quiesced();
  }
}
