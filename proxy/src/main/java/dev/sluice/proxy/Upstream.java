package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import dev.sluice.protocol.NodesSeen;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The Kafka cluster behind one generation, and the ways to its brokers. */
final class Upstream {

  private final VirtualClusterSpec spec;
  private final Engine engine;
  private final Brokers brokers;
  private final Discovery discovery;
  private final Dialler dialler;

  /**
   * @param gateways at which clients see its brokers
   * @param limits hears which of them were reached on the way to a broker
   */
  Upstream(
      VirtualClusterSpec spec, List<NodePorts> gateways, Engine engine, Consumer<Limit> limits) {
    this.spec = spec;
    this.engine = engine;
    this.brokers = new Brokers(spec.name(), spec.bootstrapServers(), gateways);
    this.dialler = new Dialler(engine, limits);
    this.discovery = new Discovery(spec.name(), engine, brokers, dialler);
  }

  /** One bootstrap name that resolves is enough: an upstream that is down fails no cluster. */
  Future<Void> resolve() {
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
            + "; correct the names, or see that they can be looked up from here, then try again");
  }

  /**
   * Asks for its brokers and its id.
   *
   * @param patience the longest that an answer is waited for; zero: not at all
   * @return succeeds, whatever was learnt
   */
  Future<Void> ask(Duration patience) {
    Promise<Void> asked = engine.control().newPromise();
    var answered = discovery.refresh();
    if (patience.isZero()) {
      return asked.setSuccess(null);
    }
    answered.addListener(_ -> asked.trySuccess(null));
    var timer =
        engine
            .control()
            .schedule(() -> asked.trySuccess(null), patience.toMillis(), TimeUnit.MILLISECONDS);
    return asked.addListener(_ -> timer.cancel(false));
  }

  /** How brokers are spoken with, from before the first connection on. */
  void speak(Encryption way) {
    dialler.speak(way);
  }

  /**
   * Why TLS could not be agreed upon when its brokers were asked last; empty if it could, or nobody
   * was reached. Safe from every thread.
   */
  Optional<String> distrust() {
    return discovery.distrust();
  }

  /** The id of the Kafka cluster; empty as long as it has not told. Safe from every thread. */
  Optional<String> clusterId() {
    return discovery.clusterId();
  }

  /** Brokers that some gateway has no address for. Safe from every thread. */
  SortedSet<Integer> leftOut() {
    return brokers.leftOut();
  }

  NodesSeen nodesSeen() {
    return (node, host, port, _) -> brokers.seen(node, host, port);
  }

  /** A connected channel for a node, or for any if empty; see {@link Dial#to}. */
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
    return dialler.to(brokers.candidates(node), loop);
  }
}
