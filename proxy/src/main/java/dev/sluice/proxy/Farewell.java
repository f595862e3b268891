package dev.sluice.proxy;

import io.netty.buffer.Unpooled;
import io.netty.channel.socket.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How one of the two sockets of a connection comes to its end: what was handed to it is written,
 * then its peer is told the end, and only when the peer's own end was read, or {@value
 * #LINGER_SECONDS} seconds have passed, is it closed. Closing a socket with unread bytes resets it,
 * and a reset destroys what the peer has not read yet.
 *
 * <p>A peer that takes no bytes for longer than the stall bound is given up. Belongs to the event
 * loop of the socket.
 */
final class Farewell {

  /** How long an end that was said waits for the peer's own. */
  static final long LINGER_SECONDS = 5;

  private final SocketChannel channel;
  private final long stallMillis;
  private final Runnable whenSaid;

  private boolean saying;
  private boolean said;
  private boolean closing;
  private boolean peerEnded;

  /**
   * @param stall a peer that takes no byte for so long is given up
   * @param whenSaid once everything has been written, or never will be
   */
  Farewell(SocketChannel channel, Duration stall, Runnable whenSaid) {
    this.channel = channel;
    this.stallMillis = stall.toMillis();
    this.whenSaid = whenSaid;
  }

  /** The peer is told the end after all that was handed over; what it sends is read on. */
  void sayEnd() {
    if (saying) {
      return;
    }
    saying = true;
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> said());
    if (!said) {
      giveUpWhenStalled(stallMillis);
    }
  }

  /** The peer is told the end, and the socket is closed once the peer has said its own. */
  void close() {
    if (closing) {
      return;
    }
    closing = true;
    channel.config().setAutoRead(true);
    sayEnd();
    if (peerEnded && Handshakes.isUnderWay(channel)) {
      Handshakes.cut(channel); // There will be no handshake after which an end could be said.
    }
    closeWhenSaid();
  }

  /** The same, but a peer that takes nothing is not waited for much longer. */
  void closeSoon() {
    close();
    if (!said) {
      giveUpWhenStalled(TimeUnit.SECONDS.toMillis(LINGER_SECONDS));
    }
  }

  /** The peer has said its end. */
  void peerEnded() {
    peerEnded = true;
    if (closing && said) {
      channel.close();
    } else if (closing && Handshakes.isUnderWay(channel)) {
      Handshakes.cut(channel);
    }
  }

  /** Whether nothing more will be written. */
  boolean isSaid() {
    return said || !channel.isOpen();
  }

  private void said() {
    said = true;
    try {
      if (channel.isOpen() && !(peerEnded && closing)) {
        endOutput();
      }
    } finally { // In TLS it takes memory to say it.
      closeWhenSaid();
      whenSaid.run();
    }
  }

  /** In TLS the end is said twice: to who decrypts, and to who receives. */
  private void endOutput() {
    var tls = Handshakes.of(channel);
    if (tls == null) {
      channel.shutdownOutput();
    } else {
      tls.closeOutbound()
          .addListener(
              _ -> {
                if (channel.isOpen()) {
                  channel.shutdownOutput();
                }
              });
    }
  }

  private void closeWhenSaid() {
    if (!closing || !said || !channel.isOpen()) {
      return;
    }
    if (peerEnded) {
      channel.close();
    } else {
      onlyWhileOpen(TimeUnit.SECONDS.toMillis(LINGER_SECONDS), channel::close);
    }
  }

  private void giveUpWhenStalled(long millis) {
    long pending = pendingBytes();
    onlyWhileOpen(
        millis,
        () -> {
          if (said) {
            return;
          }
          if (pendingBytes() < pending) {
            giveUpWhenStalled(millis);
          } else {
            Handshakes.cut(channel);
          }
        });
  }

  private long pendingBytes() {
    var waiting = channel.unsafe().outboundBuffer();
    return waiting == null ? 0 : waiting.totalPendingWriteBytes();
  }

  private void onlyWhileOpen(long millis, Runnable then) {
    var timer = channel.eventLoop().schedule(then, millis, TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(_ -> timer.cancel(false));
  }
}
