package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Client;
import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Link;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a client connection, as far as it has said so. Written on the
 * connection's event loop; some of it may be asked from elsewhere.
 */
final class Introduction {

  private final OptionalInt node;

  private volatile String clientId = "";
  private Courtesy courtesy = Courtesy.UNKNOWN;
  private volatile boolean sharing;
  private boolean authenticated;

  /**
   * Nobody has said anything yet.
   *
   * @param node whose port it came to; empty is the bootstrap port
   */
  Introduction(OptionalInt node) {
    this.node = node;
  }

  /** The client has said who it is, in its first request. */
  void introduce(String clientId, @Nullable String software) {
    this.clientId = clientId;
    this.courtesy = Courtesies.of(software);
  }

  /** How the client calls itself; empty if it does not. */
  String clientId() {
    return clientId;
  }

  /** A request of this API was read. */
  void asked(short apiKey) {
    if (Requests.isAboutSharedRecords(apiKey)) {
      sharing = true;
    } else if (Requests.isAuthentication(apiKey)) {
      authenticated = true;
    }
  }

  /**
   * Whether its upstream connection holds records of a share group. May be asked from elsewhere.
   */
  boolean isSharing() {
    return sharing;
  }

  /** Whether its upstream connection stands for somebody: another one would not. */
  boolean hasAuthenticated() {
    return authenticated;
  }

  /** Which client's connection it is, and to which node. */
  Link link(long id, @Nullable InetSocketAddress from) {
    var address = from == null ? "" : from.getAddress().getHostAddress();
    return new Link(id, new Link.ClientKey(clientId, address), node.orElse(Link.BOOTSTRAP));
  }

  /** What is known of its manners, and how far away it is. */
  Client describe(SocketChannel client) {
    return new Client(courtesy, roundTrip(client), sharing);
  }

  /** As the kernel has measured it, in nanoseconds; 0 where it cannot be asked. */
  private static long roundTrip(SocketChannel client) {
    return client instanceof EpollSocketChannel epoll && epoll.isOpen()
        ? TimeUnit.MICROSECONDS.toNanos(epoll.tcpInfo().rtt())
        : 0;
  }
}
