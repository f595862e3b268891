package dev.sluice.proxy;

import dev.sluice.lifecycle.doors.Doorway;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where the clients of one generation arrive, by its gateways. A value once it is there. */
final class Entrances {

  private final List<NodePorts> gateways;
  private final Map<Doorway, Entrance> byDoorway = new LinkedHashMap<>();

  private Entrances(List<NodePorts> gateways) {
    this.gateways = gateways;
  }

  /**
   * Looks up the addresses to listen on.
   *
   * @param gateways at least one
   * @return on this executor; fails with {@link SetUpException}
   */
  static Future<Entrances> of(List<NodePorts> gateways, EventExecutor control) {
    var entrances = new Entrances(gateways);
    var all = new PromiseCombiner(control);
    for (var gateway : gateways) {
      all.add((Future<?>) entrances.add(gateway, control));
    }
    Promise<Void> added = control.newPromise();
    all.finish(added);
    Promise<Entrances> found = control.newPromise();
    added.addListener(
        done -> {
          if (done.isSuccess()) {
            found.setSuccess(entrances);
          } else {
            found.setFailure(done.cause());
          }
        });
    return found;
  }

  private Future<Void> add(NodePorts gateway, EventExecutor control) {
    Promise<Void> done = control.newPromise();
    var bindAddress = gateway.bindAddress();
    if (bindAddress.isEmpty()) {
      add(gateway, (InetAddress) null);
      return done.setSuccess(null);
    }
    Resolver.resolve(bindAddress.get(), control)
        .addListener(
            (Future<List<InetAddress>> resolved) -> {
              if (resolved.isSuccess()) {
                add(gateway, resolved.getNow().getFirst());
                done.setSuccess(null);
              } else {
                done.setFailure(unresolvable(gateway, bindAddress.get()));
              }
            });
    return done;
  }

  private void add(NodePorts gateway, @Nullable InetAddress address) {
    gateway
        .ports()
        .forEach(
            (port, node) -> {
              // Without an address: all of this machine's.
              var at = new InetSocketAddress(address, port);
              var entrance = new Entrance(at, gateway.hostNames(), gateway, node);
              byDoorway.put(entrance.doorway(), entrance);
            });
  }

  private static SetUpException unresolvable(NodePorts gateway, String bindAddress) {
    return new SetUpException(
        "bind-failed",
        "expected an address of this machine as bindAddress of "
            + gateway
            + ", found "
            + bindAddress
            + ", which does not resolve; correct it, then try again");
  }

  Collection<Entrance> all() {
    return byDoorway.values();
  }

  /** The names of the gateways by the doors that they want. */
  SortedMap<Doorway, String> gatewayNames() {
    var names = new TreeMap<Doorway, String>();
    byDoorway.forEach((doorway, entrance) -> names.put(doorway, entrance.gateway().name()));
    return names;
  }

  /**
   * What somebody meets here who arrives where another generation wanted its clients to. A place
   * that this generation does not name stands for the same node, at the gateway of the same name or
   * else the first: there clients are told where to go next.
   */
  Entrance inPlaceOf(Entrance other) {
    var same = byDoorway.get(other.doorway());
    if (same != null) {
      return same;
    }
    var everywhere = byDoorway.get(other.everywhere());
    if (everywhere != null) {
      return new Entrance(other.at(), other.names(), everywhere.gateway(), everywhere.node());
    }
    var gateway =
        gateways.stream()
            .filter(each -> each.isNamedAs(other.gateway()))
            .findFirst()
            .orElse(gateways.getFirst());
    return new Entrance(other.at(), other.names(), gateway, other.node());
  }
}
