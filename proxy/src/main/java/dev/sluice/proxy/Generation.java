package dev.sluice.proxy;

import dev.sluice.lifecycle.doors.Doorway;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.protocol.Addresses;
import dev.sluice.protocol.ApiVersions;
import dev.sluice.protocol.EndpointSkim;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.MalformedFrameException;
import dev.sluice.protocol.NodesSeen;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one accepted configuration of a virtual cluster holds: the doors at which it
 * wants its clients, the brokers known behind it, its client connections. Acquired by {@link
 * GenerationSetUp} as a whole or not at all; released exactly once.
 */
final class Generation {

  private final int number;
  private final VirtualClusterSpec spec;
  private final Engine engine;
  private final ClusterMeters meters;
  private final SparseLog<DisconnectCause> log;
  private final List<NodePorts> gateways;
  private final Map<NodePorts, Addresses> addresses;
  private final Upstream upstream;
  private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();

  /** How many of the connections are served: those over the bound are not. */
  private final AtomicInteger admitted = new AtomicInteger();

  /** How many are just being taken in, or turned away. */
  private final AtomicInteger entering = new AtomicInteger();

  private @Nullable Entrances entrances;
  private Set<Doorway> doors = Set.of();

  /** What it speaks TLS with; made before anybody is served. */
  private volatile Encryption encryption = Encryption.NONE;

  /** Its own; made before anybody is served. */
  private volatile FilterChain filters = FilterChain.empty();

  /** Set on the control thread. */
  private volatile boolean released;

  /** Set on the control thread, before anybody is switched to it. */
  private volatile Upstreams upstreams = Upstreams.AS_NEEDED;

  private volatile @Nullable Leaving leaving;
  private volatile @Nullable Returns returns;

  /**
   * @param log of its virtual cluster, about connections that are closed
   */
  Generation(
      int number,
      VirtualClusterSpec spec,
      Engine engine,
      ClusterMeters meters,
      SparseLog<DisconnectCause> log) {
    this.number = number;
    this.spec = spec;
    this.engine = engine;
    this.meters = meters;
    this.log = log;
    this.gateways = spec.gateways().stream().map(NodePorts::new).toList();
    this.upstream = new Upstream(spec, gateways, engine, meters::reached);
    this.addresses =
        gateways.stream()
            .collect(
                Collectors.toMap(
                    gateway -> gateway,
                    gateway -> new Addresses(gateway::advertised, nodesSeen())));
  }

  /** Wants to hear what becomes of the connections of a generation that is left. */
  interface Leaving {

    /** Somebody arrived when it was left already, and went elsewhere. On any event loop. */
    void turnedAway();

    /** A connection came to this generation just when it was left, or was switched to it later. */
    void cameLate(ClientConnection connection);

    /** A connection cannot be switched: it is to end, in its turn. On its event loop. */
    void cannotStay(ClientConnection connection);

    /** A connection has gone quiet. On the connection's event loop. */
    void wentQuiet(QuietReport report);

    /** A connection is over, or belongs to another generation. On the connection's event loop. */
    void left(ClientConnection connection);
  }

  /** Wants to hear of clients that have come to a generation. */
  interface Returns {

    /** A connection has had its first answer. On its event loop. */
    void answered(ClientConnection connection);
  }

  int number() {
    return number;
  }

  String name() {
    return spec.name();
  }

  VirtualClusterSpec spec() {
    return spec;
  }

  List<NodePorts> gateways() {
    return gateways;
  }

  Upstream upstream() {
    return upstream;
  }

  FilterChain filters() {
    return filters;
  }

  LimitsSpec limits() {
    return spec.limits();
  }

  Engine engine() {
    return engine;
  }

  ClusterMeters meters() {
    return meters;
  }

  /** Whether a line may be written about a connection that is closed for a cause. */
  SparseLog<DisconnectCause> log() {
    return log;
  }

  Set<ClientConnection> connections() {
    return connections;
  }

  Duration idleTimeout() {
    return engine.network().idleTimeout();
  }

  // ---- where clients arrive ------------------------------------------------------------------

  /** It has got its keys and certificates. */
  void holds(Encryption way) {
    encryption = way;
    upstream.speak(way);
  }

  Encryption encryption() {
    return encryption;
  }

  /** It has got its filters. */
  void holds(FilterChain chain) {
    filters = chain;
  }

  /** It has got its doors. */
  void holds(Entrances entrances, Set<Doorway> doors) {
    this.entrances = entrances;
    this.doors = Set.copyOf(doors);
  }

  /** The names of its gateways by the doors that they want. */
  SortedMap<Doorway, String> gatewayNames() {
    return entrances == null ? Collections.emptySortedMap() : entrances.gatewayNames();
  }

  /** What somebody meets here who arrives where another generation wanted its clients to. */
  Entrance entrance(Entrance other) {
    return entrances == null ? other : entrances.inPlaceOf(other);
  }

  /**
   * A client is here. On its event loop.
   *
   * @return false where this generation is left: somebody else keeps the door by now
   */
  boolean arrived(Arrival client, Entrance entrance) {
    entering.incrementAndGet();
    var now = leaving;
    boolean here = now == null && !released;
    if (here) {
      takeIn(client, entrance);
    }
    entering.decrementAndGet();
    if (now != null) {
      now.turnedAway();
    }
    return here;
  }

  private void takeIn(Arrival client, Entrance entrance) {
    var connection = new ClientConnection(this, entrance, client);
    connections.add(connection);
    if (admitted.incrementAndGet() > spec.limits().maxConnections()) {
      admitted.decrementAndGet();
      meters.reached(Limit.MAX_CONNECTIONS);
      connection.end(
          DisconnectCause.TOO_MANY_CONNECTIONS,
          "the virtual cluster has its limits.maxConnections of "
              + spec.limits().maxConnections()
              + " connections");
      return;
    }
    var since = leaving;
    if (released) {
      var _ = connection.force();
    } else if (since != null) {
      since.cameLate(connection); // Whoever began that may have looked before it was here.
    }
  }

  /**
   * Whether nobody is here any more. Of a generation that is left it stays so: who is entering is
   * looked for first, and is then among the connections, or was turned away.
   */
  boolean isEmpty() {
    return entering.get() == 0 && connections.isEmpty();
  }

  /** A client connection is over, or was refused for want of room. */
  void closed(ClientConnection connection, DisconnectCause cause) {
    if (cause != DisconnectCause.TOO_MANY_CONNECTIONS) {
      admitted.decrementAndGet();
    }
    meters.disconnected(cause);
    leave(connection);
  }

  private void leave(ClientConnection connection) {
    connections.remove(connection);
    var now = leaving;
    if (now != null) {
      now.left(connection);
    }
  }

  /** A connection has been switched to this generation. On the connection's event loop. */
  void joined(ClientConnection connection) {
    admitted.incrementAndGet();
    connections.add(connection);
    var now = leaving;
    if (released) {
      var _ = connection.force();
    } else if (now != null) {
      now.cameLate(connection);
    }
  }

  /** A connection has been switched to another generation. On the connection's event loop. */
  void left(ClientConnection connection) {
    admitted.decrementAndGet();
    leave(connection);
  }

  /** A connection has had its first answer. */
  void answeredFirst(ClientConnection connection) {
    var now = returns;
    if (now != null) {
      now.answered(connection);
    }
  }

  /** Somebody wants to hear of clients that have come; null: nobody. */
  void tellReturns(@Nullable Returns listener) {
    returns = listener;
  }

  // ---- what is behind ------------------------------------------------------------------------

  /** This generation's gateway of the same name; null where there is none. */
  @Nullable NodePorts gatewayAs(NodePorts other) {
    return gateways.stream().filter(each -> each.isNamedAs(other)).findFirst().orElse(null);
  }

  /** Which upstream connections are made anew for who is switched to it. */
  void makes(Upstreams which) {
    upstreams = which;
  }

  Upstreams upstreams() {
    return upstreams;
  }

  /** Whether brokers are reached as the other generation reaches them. */
  boolean reachesAs(Generation other) {
    return spec.bootstrapServers().equals(other.spec.bootstrapServers())
        && Blueprints.reach(spec).equals(Blueprints.reach(other.spec));
  }

  NodesSeen nodesSeen() {
    return upstream.nodesSeen();
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
    return upstream.dial(node, loop);
  }

  Optional<String> clusterId() {
    return upstream.clusterId();
  }

  // ---- being left ----------------------------------------------------------------------------

  /**
   * From now on it is left: nobody is taken in, and who is here is brought to leave by somebody;
   * null: it is not left.
   */
  void leftBy(@Nullable Leaving listener) {
    leaving = listener;
  }

  /**
   * A connection cannot go on with another generation.
   *
   * @return whether somebody will see to it that it ends
   */
  boolean cannotStay(ClientConnection connection) {
    var now = leaving;
    if (now != null) {
      now.cannotStay(connection);
    }
    return now != null;
  }

  /** A connection has gone quiet. */
  void wentQuiet(QuietReport report) {
    meters.wentQuiet(report);
    var now = leaving;
    if (now != null) {
      now.wentQuiet(report);
    }
  }

  /**
   * Ends what is left of the connections, at once.
   *
   * @return succeeds, on the control thread, when what that cost is reported
   */
  Future<Void> cut() {
    var cut = new PromiseCombiner(engine.control());
    connections.forEach(connection -> cut.add((Future<?>) connection.force()));
    Promise<Void> all = engine.control().newPromise();
    cut.finish(all);
    return all;
  }

  /**
   * Lets go of everything; once.
   *
   * @return the doors that it named, to be forgotten
   */
  Set<Doorway> release() {
    if (released) {
      throw new IllegalStateException(
          "expected generation " + number + " of " + name() + " to be held, found it released");
    }
    released = true;
    returns = null;
    var _ = cut();
    filters.close();
    return doors;
  }
}
