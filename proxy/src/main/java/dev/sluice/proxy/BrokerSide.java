package dev.sluice.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The way of one client's requests to a broker.
 *
 * <p>The upstream connection is made when the first request has been seen: what speaks no Kafka
 * never reaches a broker. Belongs to the connection's event loop.
 */
final class BrokerSide {

  private final ClientConnection connection;

  private @Nullable UpstreamConnection upstream;

  /** The attempt that counts. */
  private @Nullable Future<Channel> dialling;

  private int oneWayPending;

  /** Whether requests that get no answer went over this upstream connection. */
  private boolean sentOneWays;

  /** What follows when the broker has done all that was sent to it. */
  private @Nullable Runnable settling;

  BrokerSide(ClientConnection connection) {
    this.connection = connection;
  }

  @Nullable UpstreamConnection upstream() {
    return upstream;
  }

  boolean isDialling() {
    return dialling != null;
  }

  /** Whether requests can be forwarded now; asks for an upstream connection where there is none. */
  boolean isReady() {
    if (upstream != null) {
      return true;
    }
    if (dialling == null) {
      connection.pause(ClientConnection.Pause.DIALLING);
      dial(connection.generation());
    }
    return false;
  }

  private void dial(Generation generation) {
    var attempt = generation.dial(connection.node(), connection.client().eventLoop());
    dialling = attempt;
    attempt.addListener((Future<Channel> _) -> dialled(attempt));
  }

  private void dialled(Future<Channel> attempt) {
    if (!attempt.equals(dialling)) {
      discard(attempt); // Another generation was asked meanwhile.
      return;
    }
    dialling = null;
    if (!attempt.isSuccess()) {
      connection.end(
          DisconnectCause.UPSTREAM_UNREACHABLE,
          "no broker could be reached: " + attempt.cause().getMessage());
    } else if (connection.isEnding()) {
      discard(attempt);
    } else {
      connected((SocketChannel) attempt.getNow());
    }
    connection.parting().leaveIfOver();
  }

  /** Closes what an attempt reached that nobody wants any more. */
  static void discard(Future<Channel> attempt) {
    if (attempt.isSuccess()) {
      attempt.getNow().close();
    }
  }

  private void connected(SocketChannel channel) {
    adopt(channel);
    connection.resume(ClientConnection.Pause.DIALLING);
    if (connection.client().isOpen()) {
      connection.parting().endIfQuiet();
    } else {
      connection.end(DisconnectCause.CLIENT_CLOSED, null);
    }
  }

  private void adopt(SocketChannel channel) {
    sentOneWays = false;
    connection.answering().forget();
    upstream = UpstreamConnection.serving(connection, channel);
    channel.config().setAutoRead(connection.client().isWritable());
  }

  /**
   * Another generation is behind the connection.
   *
   * @param fresh as in {@link ClientConnection#belongTo}
   */
  void belongTo(Generation next, @Nullable SocketChannel fresh) {
    var former = upstream;
    if (dialling != null) {
      dial(next);
    } else if (fresh != null) {
      connection.inFlight().leaveDue();
      adopt(fresh);
      connection.upstreamReplaced();
      if (former != null) {
        former.leave();
      }
    } else if (former != null) {
      former.responses().serve(next);
    }
  }

  /**
   * Hands bytes to the upstream connection, which is ready.
   *
   * @param oneWayEnds how many requests that get no answer end within these bytes
   */
  void forward(ByteBuf bytes, int oneWayEnds) {
    if (upstream == null) {
      bytes.release();
      throw new IllegalStateException("expected a connected upstream, found none");
    }
    var to = upstream.channel();
    if (oneWayEnds == 0) {
      to.write(bytes, to.voidPromise());
    } else {
      to.write(bytes)
          .addListener(
              written -> {
                if (written.cause() instanceof OutOfMemoryError failure) {
                  connection.parting().upstreamFailed(failure);
                }
                oneWayWritten(oneWayEnds);
              });
    }
    if (!to.isWritable()) {
      connection.pause(ClientConnection.Pause.UPSTREAM_FULL);
    }
  }

  /** A request was read that gets no answer: it is in flight until it is written. */
  void oneWayAsked() {
    oneWayPending++;
    sentOneWays = true;
  }

  /**
   * Goes on when the broker has done all that was sent to it. That a request without an answer is
   * written does not say that the broker has read it: what comes over another connection could
   * overtake it. So the broker is told the end, and its own is awaited: that comes last.
   */
  void settle(Runnable then) {
    if (upstream == null || !sentOneWays) {
      then.run();
    } else {
      settling = then;
      upstream.farewell().close();
    }
  }

  /** The broker has sent its last byte; returns whether that was awaited. */
  boolean settled() {
    var then = settling;
    var former = upstream;
    if (then == null || former == null) {
      return false;
    }
    settling = null;
    then.run();
    former.farewell().peerEnded();
    return true;
  }

  int oneWayPending() {
    return oneWayPending;
  }

  /** A request that gets no answer goes no further. */
  void oneWayEnded() {
    oneWayWritten(1);
  }

  private void oneWayWritten(int count) {
    if (connection.parting().hasLeft()) {
      return;
    }
    connection.clientSide().served();
    oneWayPending -= count;
    connection.generation().meters().finished(count);
    connection.quiet().oneWaysWritten(count);
    connection.parting().endIfQuiet();
  }

  void flush() {
    if (upstream != null) {
      upstream.channel().flush();
    }
  }

  void writable(boolean writable) {
    if (writable) {
      connection.resume(ClientConnection.Pause.UPSTREAM_FULL);
    }
  }

  /** Reads on what was held up by an answer that was not ready. */
  void readOn() {
    if (upstream != null) {
      upstream.responses().goOn();
      read(connection.client().isWritable());
    }
  }

  /** Whether the broker is read. */
  void read(boolean reads) {
    if (upstream != null) {
      boolean heldUp = connection.filtering().isAnswering() && !connection.isEnding();
      var config = upstream.channel().config();
      if (reads && !heldUp && !config.isAutoRead()) {
        connection.answering().isReadAgain(System.nanoTime());
      }
      config.setAutoRead(reads && !heldUp);
    }
  }

  /** Whether the broker sends when it has something to send: nothing here keeps it from that. */
  boolean isRead() {
    return upstream != null && upstream.channel().config().isAutoRead();
  }

  /** Whether all that was read for the broker has been handed to its socket, or never will be. */
  boolean isForwarded() {
    return dialling == null && (upstream == null || upstream.farewell().isSaid());
  }
}
