package dev.sluice.proxy;

import dev.sluice.lifecycle.doors.Doorway;
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
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one accepted configuration of a virtual cluster holds: the doors at which it
 * wants its clients, the brokers known behind it, its client {@link Connections}. Acquired by
 * {@link GenerationSetUp} as a whole or not at all; released exactly once.
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
  private final Connections connections;

  private @Nullable Entrances entrances;
  private Set<Doorway> doors = Set.of();

  /** What it speaks TLS with; made before anybody is served. */
  private volatile Encryption encryption = Encryption.NONE;

  /** Its own; made before anybody is served. */
  private volatile FilterChain filters = FilterChain.empty();

  /** Set on the control thread, before anybody is switched to it. */
  private volatile Upstreams upstreams = Upstreams.AS_NEEDED;

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
    this.connections = new Connections(this);
    this.gateways = spec.gateways().stream().map(NodePorts::new).toList();
    this.upstream = new Upstream(spec, gateways, engine, meters::reached);
    this.addresses =
        gateways.stream()
            .collect(
                Collectors.toMap(
                    gateway -> gateway,
                    gateway -> new Addresses(gateway::advertised, nodesSeen())));
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

  /** Who is here. */
  Connections connections() {
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

  /**
   * Lets go of everything; once.
   *
   * @return the doors that it named, to be forgotten
   */
  Set<Doorway> release() {
    connections.release();
    filters.close();
    return doors;
  }
}
