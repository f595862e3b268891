package dev.sluice.proxy;

import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What is to be known of TLS by who handles a connection that may or may not speak it. */
final class Handshakes {

  private Handshakes() {}

  /** Whether the event says that the peer has sent its last byte, in TLS or below it. */
  static boolean isEnd(Object event) {
    return event instanceof ChannelInputShutdownEvent
        || (event instanceof SslCloseCompletionEvent closed && closed.isSuccess());
  }

  /** What speaks TLS on this connection; null: nothing, it is plain. */
  static @Nullable SslHandler of(SocketChannel channel) {
    return channel.pipeline().get(SslHandler.class);
  }

  /** Whether it speaks TLS, and has not agreed upon how. */
  static boolean isUnderWay(SocketChannel channel) {
    var tls = of(channel);
    return tls != null && !tls.handshakeFuture().isDone();
  }

  /** Closes it at once: what waits to be written is lost, and TLS says no goodbye. */
  static void cut(SocketChannel channel) {
    var tls = channel.pipeline().context(SslHandler.class);
    if (tls == null) {
      channel.close();
    } else {
      tls.close();
    }
  }

  /** The failure itself, where a decoder has wrapped it. */
  static Throwable cause(Throwable failure) {
    return failure instanceof DecoderException && failure.getCause() instanceof IOException inner
        ? inner
        : failure;
  }

  /** Whether the peer just left: that says nothing of keys and certificates. */
  static boolean isDeparture(Throwable failure) {
    return failure instanceof ClosedChannelException
        || !(failure instanceof SSLException || failure.getCause() instanceof SSLException);
  }

  /** For a person. What the peer sent is not shown: it may be a password in plain text. */
  static String inWords(Throwable failure) {
    return switch (failure) {
      case NotSslRecordException _ ->
          "expected a TLS handshake, found other bytes; does one side speak plain text?";
      case ClosedChannelException _ ->
          "the connection was closed in the TLS handshake; does the other side speak plain text?";
      default -> "the TLS handshake failed: " + failure.getMessage();
    };
  }
}
