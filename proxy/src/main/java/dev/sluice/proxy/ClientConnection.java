package dev.sluice.proxy;

import dev.sluice.protocol.ApiVersions;
import dev.sluice.protocol.EndpointSkim;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection and the upstream connection that serves it. Both live on one event loop,
 * and so does everything here that is not said to be safe from elsewhere.
 *
 * <p>The upstream connection is made when the first request has been seen: what speaks no Kafka
 * never reaches a broker. Until then, and whenever there is a reason in {@link Pause}, the client
 * is not read.
 *
 * <p>Ends are passed on, never cut: bytes that were read are forwarded before the other side is
 * told of an end, and a socket is closed only after its peer's end was read or {@value
 * #LINGER_SECONDS} seconds have passed. Closing a socket with unread bytes resets it, and a reset
 * destroys what the peer has not read yet.
 */
final class ClientConnection {

  /** Why the client is not read. */
  enum Pause {
    DIALLING(1),
    UPSTREAM_FULL(2),
    IN_FLIGHT_FULL(4),
    QUIESCING(8);

    private final int bit;

    Pause(int bit) {
      this.bit = bit;
    }
  }

  /** How long an end that was sent waits for the peer's own. */
  static final long LINGER_SECONDS = 5;

  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  private final Generation generation;
  private final NodePorts gateway;
  private final OptionalInt node;
  private final SocketChannel client;
  private final RequestHandler requests;
  private final InFlight inFlight = new InFlight();
  private final long openedAt = System.nanoTime();

  /** As many as requests in flight, at most. */
  private final Queue<ByteBuf> ownAnswers = new ArrayDeque<>(0);

  private @Nullable SocketChannel upstream;
  private @Nullable DisconnectCause cause;
  private int pauses;
  private int oneWayPending;
  private boolean dialling;
  private boolean clientEnded;
  private boolean ending;
  private boolean settled;
  private boolean answeredOnce;
  private volatile long movedAt = openedAt;

  ClientConnection(
      Generation generation, NodePorts gateway, OptionalInt node, SocketChannel client) {
    this.generation = generation;
    this.gateway = gateway;
    this.node = node;
    this.client = client;
    this.requests = new RequestHandler(this, generation.limits());
    client.pipeline().addLast(requests);
  }

  Generation generation() {
    return generation;
  }

  SocketChannel client() {
    return client;
  }

  InFlight inFlight() {
    return inFlight;
  }

  /** Whether bytes of the client are still of use. */
  boolean isEnding() {
    return ending;
  }

  boolean isQuiescing() {
    return isPausedFor(Pause.QUIESCING);
  }

  // ---- reading and pausing -------------------------------------------------------------------

  void moved(long now) {
    movedAt = now;
  }

  /** When a byte last came from either side, in nanoseconds of {@link System#nanoTime}. */
  long movedAt() {
    return movedAt;
  }

  boolean isPausedFor(Pause pause) {
    return (pauses & pause.bit) != 0;
  }

  void pause(Pause pause) {
    pauses |= pause.bit;
    updateReading();
  }

  private void resume(Pause pause) {
    if (isPausedFor(pause)) {
      pauses &= ~pause.bit;
      requests.consumeParked();
      flushUpstream();
      updateReading();
    }
  }

  /** A frame that was forwarded in part is read to its end, also while quiescing. */
  private void updateReading() {
    int holding = pauses & ~Pause.QUIESCING.bit;
    client
        .config()
        .setAutoRead(ending || (holding == 0 && (!isQuiescing() || requests.isWithinFrame())));
  }

  // ---- towards the broker --------------------------------------------------------------------

  /** Whether requests can be forwarded now; asks for an upstream connection where there is none. */
  boolean upstreamIsReady() {
    if (upstream != null) {
      return true;
    }
    if (!dialling) {
      dialling = true;
      pause(Pause.DIALLING);
      generation
          .dial(node, client.eventLoop())
          .addListener((Future<Channel> dialled) -> dialled(dialled));
    }
    return false;
  }

  private void dialled(Future<Channel> dialled) {
    dialling = false;
    if (!dialled.isSuccess()) {
      settle();
      end(
          DisconnectCause.UPSTREAM_UNREACHABLE,
          "no broker could be reached: " + dialled.cause().getMessage());
      return;
    }
    var channel = (SocketChannel) dialled.getNow();
    channel.pipeline().addLast(new ResponseHandler(this, generation));
    upstream = channel;
    channel.config().setAutoRead(client.isWritable());
    resume(Pause.DIALLING);
    if (clientEnded || ending || !client.isActive()) {
      finishUpstream();
    }
  }

  /**
   * Hands bytes to the upstream connection, which is ready.
   *
   * @param oneWayEnds how many requests that get no answer end within these bytes
   */
  void forward(ByteBuf bytes, int oneWayEnds) {
    var to = upstream;
    if (to == null) {
      bytes.release();
      throw new IllegalStateException("expected a connected upstream, found none");
    }
    if (oneWayEnds == 0) {
      to.write(bytes, to.voidPromise());
    } else {
      to.write(bytes).addListener(_ -> oneWayWritten(oneWayEnds));
    }
    if (!to.isWritable()) {
      pause(Pause.UPSTREAM_FULL);
    }
  }

  /** A request was read that gets no answer: it is in flight until it is written. */
  void oneWayAsked() {
    oneWayPending++;
  }

  private void oneWayWritten(int count) {
    oneWayPending -= count;
    generation.meters().finished(count);
    closeIfQuiet();
  }

  void flushUpstream() {
    if (upstream != null) {
      upstream.flush();
    }
  }

  void upstreamWritable(boolean writable) {
    if (writable) {
      resume(Pause.UPSTREAM_FULL);
    }
  }

  // ---- towards the client --------------------------------------------------------------------

  /** Hands bytes of a response to the client's channel; {@code answers} responses end in them. */
  void answer(ByteBuf bytes, int answers) {
    if (answers == 0) {
      client.write(bytes, client.voidPromise());
    } else {
      answeredOnce = true;
      long position = inFlight.answeredPosition();
      client
          .write(bytes)
          .addListener((ChannelFuture written) -> written(written, position, answers));
    }
    if (!client.isWritable() && upstream != null) {
      upstream.config().setAutoRead(false);
    }
  }

  /** Replaces the end points in responses that pass by. */
  EndpointSkim skim() {
    return new EndpointSkim(gateway::advertised, generation.nodesSeen(), client.alloc());
  }

  /**
   * A response with the addresses that the client can reach, in place of the brokers' own.
   *
   * @param frame with its length; stays the caller's
   */
  ByteBuf rewrite(short key, short version, ByteBuf frame) throws MalformedFrameException {
    var body =
        frame.slice(
            frame.readerIndex() + FrameCheck.LENGTH_BYTES,
            frame.readableBytes() - FrameCheck.LENGTH_BYTES);
    return key == ApiVersions.API_KEY
        ? ApiVersions.narrowed(version, body, client.alloc())
        : generation.addresses(gateway).rewrite(key, version, body, client.alloc());
  }

  /**
   * An answer of the proxy's own, for the request that was asked last; given when its turn comes.
   */
  void answerItself(ByteBuf answer) {
    ownAnswers.add(answer);
    giveOwnAnswers();
    client.flush();
  }

  /** Gives the proxy's own answers whose turn has come. */
  void giveOwnAnswers() {
    while (inFlight.ownAnswerIsNext()) {
      inFlight.answer();
      answer(ownAnswers.remove(), 1);
    }
  }

  private void written(ChannelFuture written, long position, int answers) {
    if (!written.isSuccess()) {
      return;
    }
    inFlight.writtenUpTo(position);
    generation.meters().finished(answers);
    if (inFlight.size() < generation.limits().maxInFlight()) {
      resume(Pause.IN_FLIGHT_FULL);
    }
    closeIfQuiet();
  }

  void clientWritable(boolean writable) {
    if (upstream != null) {
      upstream.config().setAutoRead(writable || ending);
    }
  }

  // ---- ends ----------------------------------------------------------------------------------

  /** The client has sent its last byte. */
  void clientEnded() {
    clientEnded = true;
    note(DisconnectCause.CLIENT_CLOSED);
    if (upstream == null && !dialling) {
      client.close();
    } else if (!requests.hasParked()) {
      finishUpstream();
    }
  }

  /** Everything that was parked has been consumed. */
  void parkedConsumed() {
    if (clientEnded) {
      finishUpstream();
    }
  }

  /** The broker has sent its last byte. */
  void upstreamEnded() {
    end(DisconnectCause.UPSTREAM_CLOSED, null);
  }

  /** The client's channel is closed. */
  void clientClosed() {
    ending = true;
    settle();
    generation.closed(this, note(DisconnectCause.CLIENT_CLOSED));
    if (!dialling) {
      requests.releaseParked();
    }
    finishUpstream();
  }

  /** What is in flight when both sides are closed will not be answered any more. */
  private void settle() {
    boolean upstreamOpen = dialling || (upstream != null && upstream.isOpen());
    if (!client.isOpen() && !upstreamOpen && !settled) {
      settled = true;
      generation.meters().finished(inFlight.size());
    }
  }

  /** The upstream channel is closed. */
  void upstreamClosed() {
    settle();
    end(DisconnectCause.UPSTREAM_CLOSED, null);
    if (clientEnded) {
      client.close();
    }
  }

  /** Some socket or handler failed. */
  void failed(Throwable failure) {
    if (failure instanceof java.io.IOException) {
      LOG.atDebug()
          .addKeyValue("virtualCluster", generation.name())
          .setCause(failure)
          .log("Connection reset");
      end(DisconnectCause.FAILED, null);
    } else {
      LOG.atError()
          .addKeyValue("virtualCluster", generation.name())
          .addKeyValue("client", client.remoteAddress())
          .setCause(failure)
          .log("Closed a connection after a defect of the proxy");
      end(DisconnectCause.FAILED, null);
    }
  }

  /**
   * Ends the connection: what was handed to the client's channel is written, then it is told the
   * end.
   *
   * @param why a sentence for the log; null where there is nothing remarkable
   */
  void end(DisconnectCause cause, @Nullable String why) {
    note(cause);
    if (why != null && !ending) {
      LOG.atWarn()
          .addKeyValue("virtualCluster", generation.name())
          .addKeyValue("client", client.remoteAddress())
          .addKeyValue("cause", cause.label())
          .log("Closed a connection: {}", why);
    }
    if (ending) {
      return;
    }
    ending = true;
    requests.releaseParked();
    finishUpstream();
    finish(client);
  }

  /** The first cause is the one that counts. */
  private DisconnectCause note(DisconnectCause cause) {
    var first = this.cause;
    if (first != null) {
      return first;
    }
    this.cause = cause;
    return cause;
  }

  private void finishUpstream() {
    if (upstream != null) {
      finish(upstream);
    }
  }

  /** Writes what was handed over, says the end, reads to the peer's end, and closes. */
  private static void finish(SocketChannel channel) {
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            _ -> {
              if (channel.isInputShutdown()) {
                channel.close();
                return;
              }
              channel.shutdownOutput();
              channel.config().setAutoRead(true);
              var linger =
                  channel
                      .eventLoop()
                      .schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
              channel.closeFuture().addListener(_ -> linger.cancel(false));
            });
  }

  // ---- quiescing -----------------------------------------------------------------------------

  /** Reads nothing new, and ends once all that was read is answered. Safe from every thread. */
  void quiesce() {
    client
        .eventLoop()
        .execute(
            () -> {
              if (!ending) {
                pause(Pause.QUIESCING);
                closeIfQuiet();
              }
            });
  }

  /** Ends at once. Safe from every thread. */
  void force() {
    client
        .eventLoop()
        .execute(
            () -> {
              note(DisconnectCause.FORCED);
              client.close();
            });
  }

  /** A frame has ended; while quiescing nothing is read beyond it. */
  void closeIfQuiet() {
    if (isQuiescing() && !ending && !requests.isWithinFrame()) {
      updateReading();
      if (unanswered() == 0) {
        end(DisconnectCause.DRAINED, null);
      }
    }
  }

  /** Requests that were read and whose answers have not left; to be asked on the event loop. */
  int unanswered() {
    return inFlight.size() + oneWayPending;
  }

  /** Closes the connection if nothing has moved for too long. Safe from every thread. */
  void checkIdle(long now, NetworkSpec network) {
    long idle = now - movedAt;
    if (idle > network.unauthenticatedIdleTimeout().toNanos()) {
      client.eventLoop().execute(() -> endIfIdle(now, network));
    }
  }

  private void endIfIdle(long now, NetworkSpec network) {
    long idle = now - movedAt;
    if (!answeredOnce && now - openedAt > network.unauthenticatedIdleTimeout().toNanos()) {
      end(
          DisconnectCause.IDLE,
          "no request was answered within unauthenticatedIdleTimeout of "
              + network.unauthenticatedIdleTimeout().toMillis()
              + " ms");
    } else if (idle > network.idleTimeout().toNanos()) {
      end(DisconnectCause.IDLE, null);
    }
  }
}
