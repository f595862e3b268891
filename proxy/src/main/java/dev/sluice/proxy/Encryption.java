package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a generation speaks TLS with. Handshakes begun with it go on with it, whatever comes after.
 *
 * @param towardsClients by the name of the gateway; those that are not there speak plain text
 * @param towardsBrokers null: plain text
 */
record Encryption(Map<String, SslContext> towardsClients, @Nullable SslContext towardsBrokers) {

  /** Plain text everywhere. */
  static final Encryption NONE = new Encryption(Map.of(), null);

  /** The longest that a handshake takes. */
  static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);

  Encryption {
    towardsClients = Map.copyOf(towardsClients);
  }

  /**
   * Speaks TLS with a client from here on, where its gateway does.
   *
   * @param tasks does what takes long: nothing of it is done on the event loop
   */
  void speakWith(SocketChannel client, NodePorts gateway, Executor tasks) {
    var speaking = towardsClients.get(gateway.name());
    if (speaking != null) {
      client.pipeline().addLast(limited(speaking.newHandler(client.alloc(), tasks)));
    }
  }

  /** The same with a broker, which has to show a certificate for this name. */
  void speakWith(SocketChannel broker, Endpoint name, Executor tasks) {
    if (towardsBrokers != null) {
      broker
          .pipeline()
          .addLast(
              limited(towardsBrokers.newHandler(broker.alloc(), name.host(), name.port(), tasks)));
    }
  }

  private static SslHandler limited(SslHandler handler) {
    handler.setHandshakeTimeoutMillis(HANDSHAKE_LIMIT.toMillis());
    return handler;
  }
}
