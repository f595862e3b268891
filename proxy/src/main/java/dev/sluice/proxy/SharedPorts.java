package dev.sluice.proxy;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ports that virtual clusters share: on each of them the host name that a client asks for in
 * its TLS handshake says to whose door it is led. Belongs to the control thread, but what is said
 * to be safe from elsewhere.
 */
final class SharedPorts {

  /** Of how many gateways it is known that they are, or were, configured. */
  private static final int MOST_KNOWN = 10_000;

  private final EventExecutor control;
  private final Map<InetSocketAddress, SharedPort> ports = new HashMap<>();
  private final Deque<HostNames> knownInOrder = new ArrayDeque<>();
  private final Set<HostNames> known = ConcurrentHashMap.newKeySet();

  SharedPorts(EventExecutor control) {
    this.control = control;
  }

  /**
   * Leads clients to a door.
   *
   * @param entrance has host names
   * @return on the control thread; fails where the port cannot be listened on
   */
  Future<Listening> open(Entrance entrance, Door door, Engine engine) {
    Promise<Listening> seated = control.newPromise();
    var there = ports.get(entrance.at());
    if (there != null && there.isLeft()) {
      // A port that is being closed is still busy.
      there
          .gone()
          .addListener(
              _ -> open(entrance, door, engine).addListener(new PromiseNotifier<>(seated)));
      return seated;
    }
    var port =
        ports.computeIfAbsent(entrance.at(), at -> new SharedPort(at, this, engine, this::forget));
    var seat = port.seat(entrance, door);
    port.bound()
        .addListener(
            bound -> {
              if (bound.isSuccess()) {
                seated.setSuccess(seat);
              } else {
                seat.close();
                seated.setFailure(bound.cause());
              }
            });
    return seated;
  }

  /** Says what no line has said of clients that were led nowhere. */
  void tellLeftOut() {
    ports.values().forEach(SharedPort::tellLeftOut);
  }

  private void forget(SharedPort port) {
    ports.remove(port.at(), port);
  }

  /**
   * Somebody is configured with these names. Who asks for them while nobody is behind is told to
   * come again, and not that there is no such place.
   */
  void know(HostNames names) {
    if (known.add(names)) {
      knownInOrder.add(names);
      if (knownInOrder.size() > MOST_KNOWN) {
        known.remove(knownInOrder.remove());
      }
    }
  }

  /** Whether the name is, or was, somebody's. Safe from every thread. */
  boolean isKnown(String name) {
    return known.stream().anyMatch(one -> one.node(name).isPresent());
  }
}
