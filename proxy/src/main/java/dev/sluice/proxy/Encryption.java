package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.tls.ServingTls;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a generation speaks TLS with. Handshakes begun with it go on with it, whatever comes after.
 *
 * @param towardsClients by the name of the gateway; those that are not there speak plain text
 * @param towardsBrokers null: plain text
 */
record Encryption(Map<String, ServingTls> towardsClients, @Nullable SslContext towardsBrokers) {

  /** Plain text everywhere. */
  static final Encryption NONE = new Encryption(Map.of(), null);

  Encryption {
    towardsClients = Map.copyOf(towardsClients);
  }

  /** Until when the certificates are good that clients are shown, by gateway. */
  Map<String, Instant> ends() {
    var ends = new TreeMap<String, Instant>();
    towardsClients.forEach((gateway, tls) -> ends.put(gateway, tls.shown().notAfter()));
    return ends;
  }

  /**
   * Speaks TLS with a client from here on, where its gateway does.
   *
   * @param engine does what takes long, away from the event loop, and says how long a handshake may
   *     take
   */
  void speakWith(SocketChannel client, NodePorts gateway, Engine engine) {
    var speaking = towardsClients.get(gateway.name());
    if (speaking != null) {
      var handler = speaking.context().newHandler(client.alloc(), engine.tlsTasks());
      client.pipeline().addLast(limited(handler, engine));
    }
  }

  /** The same with a broker, which has to show a certificate for this name. */
  void speakWith(SocketChannel broker, Endpoint name, Engine engine) {
    if (towardsBrokers != null) {
      var handler =
          towardsBrokers.newHandler(broker.alloc(), name.host(), name.port(), engine.tlsTasks());
      broker.pipeline().addLast(limited(handler, engine));
    }
  }

  private static SslHandler limited(SslHandler handler, Engine engine) {
    handler.setHandshakeTimeoutMillis(engine.network().tlsHandshakeTimeout().toMillis());
    return handler;
  }
}
