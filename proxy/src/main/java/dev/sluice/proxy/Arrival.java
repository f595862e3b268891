package dev.sluice.proxy;

import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A client that is here.
 *
 * @param from where it comes from, as far as is known
 * @param node that it wants, if it has said so; empty: any, or its port says it
 * @param entering hands on what was read of it, once somebody is there to read it
 */
record Arrival(SocketChannel client, InetSocketAddress from, OptionalInt node, Runnable entering) {

  /** Nothing of it was read. */
  static Arrival unread(SocketChannel client) {
    return new Arrival(client, addressOf(client), OptionalInt.empty(), () -> {});
  }

  /** What the other end of a connection is; of one that has gone already, no address. */
  static InetSocketAddress addressOf(SocketChannel client) {
    return Objects.requireNonNullElseGet(client.remoteAddress(), () -> new InetSocketAddress(0));
  }
}
