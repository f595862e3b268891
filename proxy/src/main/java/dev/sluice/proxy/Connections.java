package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.QuietReport;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The client connections that a generation serves: who arrives, who is switched to it from another
 * generation or from it to one, and who is over. Somebody may want to hear of those that leave.
 *
 * <p>Connections come and go on their event loops, at any time; what is said of a generation as a
 * whole is said on the control thread. So whoever comes adds himself first and looks then whether
 * the generation is left: one of both sides sees the other.
 */
final class Connections {

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

  private final Generation generation;
  private final Set<ClientConnection> here = ConcurrentHashMap.newKeySet();

  /** How many of the connections are served: those over the bound are not. */
  private final AtomicInteger admitted = new AtomicInteger();

  /** How many are just being taken in, or turned away. */
  private final AtomicInteger entering = new AtomicInteger();

  /** Set on the control thread. */
  private volatile boolean released;

  private volatile @Nullable Leaving leaving;
  private volatile @Nullable Returns returns;

  Connections(Generation generation) {
    this.generation = generation;
  }

  int size() {
    return here.size();
  }

  /** Those that are here now. Safe from every thread. */
  Stream<ClientConnection> stream() {
    return here.stream();
  }

  // ---- coming and going ----------------------------------------------------------------------

  /**
   * A client is here. On its event loop.
   *
   * @return false where this generation is left: somebody else keeps the door by now
   */
  boolean arrived(Arrival client, Entrance entrance) {
    entering.incrementAndGet();
    var now = leaving;
    boolean stays = now == null && !released;
    if (stays) {
      takeIn(client, entrance);
    }
    entering.decrementAndGet();
    if (now != null) {
      now.turnedAway();
    }
    return stays;
  }

  private void takeIn(Arrival client, Entrance entrance) {
    var connection = new ClientConnection(generation, entrance, client);
    here.add(connection);
    if (admitted.incrementAndGet() > generation.limits().maxConnections()) {
      admitted.decrementAndGet();
      generation.meters().reached(Limit.MAX_CONNECTIONS);
      connection.end(
          DisconnectCause.TOO_MANY_CONNECTIONS,
          "the virtual cluster has its limits.maxConnections of "
              + generation.limits().maxConnections()
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
    return entering.get() == 0 && here.isEmpty();
  }

  /** A client connection is over, or was refused for want of room. */
  void closed(ClientConnection connection, DisconnectCause cause) {
    if (cause != DisconnectCause.TOO_MANY_CONNECTIONS) {
      admitted.decrementAndGet();
    }
    generation.meters().disconnected(cause);
    leave(connection);
  }

  private void leave(ClientConnection connection) {
    here.remove(connection);
    var now = leaving;
    if (now != null) {
      now.left(connection);
    }
  }

  /** A connection has been switched to this generation. On the connection's event loop. */
  void joined(ClientConnection connection) {
    admitted.incrementAndGet();
    here.add(connection);
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
    generation.meters().wentQuiet(report);
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
    var cut = new PromiseCombiner(generation.engine().control());
    here.forEach(connection -> cut.add((Future<?>) connection.force()));
    Promise<Void> all = generation.engine().control().newPromise();
    cut.finish(all);
    return all;
  }

  /** Nobody is served from here on; who is here is cut. Once. */
  void release() {
    if (released) {
      throw new IllegalStateException(
          "expected generation "
              + generation.number()
              + " of "
              + generation.name()
              + " to be held, found it released");
    }
    released = true;
    returns = null;
    var _ = cut();
  }
}
