package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Terms.Way;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a connection is to be switched to, at a moment when nothing of it is in flight.
 *
 * @param gateway of the next generation, where the client is
 * @param renews whether the upstream connection is another one then
 * @param fresh that one, connected; null if there is none, or none was reached
 */
record PlannedSwitch(
    Generation next, NodePorts gateway, boolean renews, @Nullable SocketChannel fresh) {

  /**
   * The longest that a broker may sit on a poll whose answer will not be used, where the same
   * connection goes on: what the client asks next waits behind it.
   */
  private static final long LONGEST_BLOCKING_POLL_MILLIS = TimeUnit.SECONDS.toMillis(1);

  PlannedSwitch with(SocketChannel reached) {
    return new PlannedSwitch(next, gateway, renews, reached);
  }

  /** The same, but the upstream connection is kept. */
  PlannedSwitch keeping() {
    return new PlannedSwitch(next, gateway, false, null);
  }

  /** How it comes about. */
  Way way() {
    return renews ? Way.IN_PLACE : Way.BETWEEN;
  }

  /** Whether it can be made now. */
  boolean isPossible() {
    return !renews || (fresh != null && fresh.isActive() && !fresh.isInputShutdown());
  }

  /** It will not be made. */
  void abandon() {
    if (fresh != null) {
      fresh.close();
    }
  }

  /**
   * Whether this connection gets another upstream connection to be served by that generation. It
   * never does where the broker would take back the records that a share consumer holds: it is the
   * same Kafka cluster, so who is there may stay there.
   */
  static boolean renews(ClientConnection connection, Generation next) {
    var introduction = connection.introduction();
    if (connection.brokerSide().upstream() == null || introduction.isSharing()) {
      return false;
    }
    if (!next.reachesAs(connection.generation())) {
      return true;
    }
    return !introduction.hasAuthenticated()
        && (next.upstreams() == Upstreams.ANEW || isBlocked(connection.inFlight()));
  }

  private static boolean isBlocked(InFlight inFlight) {
    for (long at = inFlight.writtenPosition(); at < inFlight.nextPosition(); at++) {
      if (inFlight.maxWaitMillis(at) > LONGEST_BLOCKING_POLL_MILLIS) {
        return true;
      }
    }
    return false;
  }
}
