package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Bounds;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.protocol.ApiVersions;
import dev.sluice.protocol.RequestPeek;
import dev.sluice.protocol.RequestTrait;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
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
 * told of an end; how a socket is closed, {@link Farewell} says.
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

  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  private final Generation generation;
  private final NodePorts gateway;
  private final OptionalInt node;
  private final SocketChannel client;
  private final RequestHandler requests;
  private final InFlight inFlight = new InFlight();
  private final long openedAt = System.nanoTime();

  private final OwnAnswers ownAnswers;
  private final Introduction introduction;

  /** Hosts the going quiet, from the mark on. */
  private @Nullable QuietHost quiet;

  private final Farewell clientFarewell;

  private @Nullable SocketChannel upstream;
  private @Nullable Farewell upstreamFarewell;
  private @Nullable DisconnectCause cause;
  private int pauses;
  private int oneWayPending;
  private boolean dialling;
  private boolean clientEnded;
  private boolean ending;
  private boolean left;
  private volatile boolean answeredOnce;
  private volatile long movedAt = openedAt;

  ClientConnection(
      Generation generation, NodePorts gateway, OptionalInt node, SocketChannel client) {
    this.generation = generation;
    this.gateway = gateway;
    this.node = node;
    this.client = client;
    this.ownAnswers = new OwnAnswers(inFlight, client.alloc());
    this.introduction = new Introduction(node);
    this.clientFarewell = farewell(client);
    this.requests = new RequestHandler(this, generation.limits());
    client.pipeline().addLast(requests);
  }

  Generation generation() {
    return generation;
  }

  NodePorts gateway() {
    return gateway;
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
      burstRead();
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
      end(
          DisconnectCause.UPSTREAM_UNREACHABLE,
          "no broker could be reached: " + dialled.cause().getMessage());
    } else if (ending) {
      dialled.getNow().close();
    } else {
      connected((SocketChannel) dialled.getNow());
    }
    leaveIfOver();
  }

  private void connected(SocketChannel channel) {
    upstream = channel;
    upstreamFarewell = farewell(channel);
    channel.pipeline().addLast(new ResponseHandler(this, generation));
    channel.config().setAutoRead(client.isWritable());
    resume(Pause.DIALLING);
    if (client.isOpen()) {
      endIfQuiet();
    } else {
      end(DisconnectCause.CLIENT_CLOSED, null);
    }
  }

  private Farewell farewell(SocketChannel channel) {
    return new Farewell(channel, generation.idleTimeout(), this::leaveIfOver);
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
    if (left) {
      return;
    }
    noteAnswer();
    oneWayPending -= count;
    generation.meters().finished(count);
    if (quiet != null) {
      quiet.oneWaysWritten(count);
    }
    endIfQuiet();
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
      noteAnswer();
      long position = inFlight.answeredPosition();
      client
          .write(bytes)
          .addListener((ChannelFuture written) -> written(written, position, answers));
    }
    if (!client.isWritable() && upstream != null) {
      upstream.config().setAutoRead(false);
    }
  }

  private void noteAnswer() {
    if (!answeredOnce) {
      answeredOnce = true;
      generation.answeredFirst(this);
    }
  }

  /**
   * An answer of the proxy's own, for the request that was asked last; given when its turn comes.
   */
  void answerItself(ByteBuf answer) {
    if (ending) {
      answer.release();
      return;
    }
    ownAnswers.add(answer);
    giveOwnAnswers();
    client.flush();
  }

  /** Gives the proxy's own answers whose turn has come. */
  void giveOwnAnswers() {
    for (var answer = ownAnswers.next(); answer != null; answer = ownAnswers.next()) {
      long position = inFlight.answeredPosition();
      if (quiet != null) {
        quiet.responseCame(position, ApiVersions.API_KEY, (short) 0);
      }
      inFlight.answer();
      answer(answer, 1);
      responseEnded(position);
    }
  }

  /** Whether something of the proxy's own may have to follow the response that has just ended. */
  boolean hasOwnSay() {
    return quiet != null || inFlight.ownAnswerIsNext();
  }

  private void written(ChannelFuture written, long position, int answers) {
    if (!written.isSuccess() || left) {
      return;
    }
    inFlight.writtenUpTo(position);
    generation.meters().finished(answers);
    if (quiet != null) {
      quiet.written(position);
    }
    if (inFlight.size() < generation.limits().maxInFlight()) {
      resume(Pause.IN_FLIGHT_FULL);
    }
    endIfQuiet();
  }

  void clientWritable(boolean writable) {
    moved(System.nanoTime());
    if (upstream != null) {
      upstream.config().setAutoRead(writable || ending);
    }
  }

  // ---- ends ----------------------------------------------------------------------------------

  /** The client has sent its last byte; it may still read. */
  void clientEnded() {
    clientEnded = true;
    note(DisconnectCause.CLIENT_CLOSED);
    clientFarewell.peerEnded();
    if (quiet != null) {
      quiet.clientEnded();
    }
    endIfQuiet();
  }

  /** The client's channel is closed. What was read before is still forwarded. */
  void clientClosed() {
    clientEnded = true;
    note(DisconnectCause.CLIENT_CLOSED);
    if (quiet != null) {
      quiet.clientLost();
    }
    if (!dialling) {
      end(DisconnectCause.CLIENT_CLOSED, null);
    }
    leaveIfOver();
  }

  /** The client's socket, or the handling of it, failed. */
  void clientFailed(Throwable failure) {
    report(failure);
    note(DisconnectCause.FAILED);
    if (failure instanceof IOException) {
      client.close();
    } else {
      end(DisconnectCause.FAILED, null);
    }
  }

  /** The broker has sent its last byte. */
  void upstreamEnded() {
    if (upstreamFarewell != null) {
      upstreamFarewell.peerEnded();
    }
    if (quiet != null) {
      quiet.upstreamEnded();
    }
    end(DisconnectCause.UPSTREAM_CLOSED, null);
  }

  /** The upstream channel is closed. */
  void upstreamClosed() {
    end(DisconnectCause.UPSTREAM_CLOSED, null);
    leaveIfOver();
  }

  /** The broker's socket, or the handling of it, failed. */
  void upstreamFailed(Throwable failure) {
    report(failure);
    end(
        failure instanceof IOException ? DisconnectCause.UPSTREAM_CLOSED : DisconnectCause.FAILED,
        null);
  }

  private void report(Throwable failure) {
    if (failure instanceof IOException) {
      LOG.atDebug()
          .addKeyValue("virtualCluster", generation.name())
          .setCause(failure)
          .log("Connection reset");
    } else {
      LOG.atError()
          .addKeyValue("virtualCluster", generation.name())
          .addKeyValue("client", client.remoteAddress())
          .setCause(failure)
          .log("Closed a connection after a defect of the proxy");
    }
  }

  /**
   * Ends the connection: what was handed to either side's channel is written, then it is told the
   * end.
   *
   * @param why a sentence for the log; null where there is nothing remarkable
   */
  void end(DisconnectCause cause, @Nullable String why) {
    note(cause);
    if (ending) {
      return;
    }
    ending = true;
    if (why != null) {
      LOG.atWarn()
          .addKeyValue("virtualCluster", generation.name())
          .addKeyValue("client", client.remoteAddress())
          .addKeyValue("cause", cause.label())
          .log("Closed a connection: {}", why);
    }
    requests.release();
    ownAnswers.release();
    if (upstreamFarewell != null) {
      upstreamFarewell.close();
    }
    clientFarewell.close();
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

  /**
   * The connection is over when its client is gone and everything that it sent has left for the
   * broker: what a client that is gone has sent is still worth a drain's patience.
   */
  private void leaveIfOver() {
    boolean forwarded = !dialling && (upstreamFarewell == null || upstreamFarewell.isSaid());
    if (left || client.isOpen() || !forwarded) {
      return;
    }
    left = true;
    generation.meters().finished(unanswered());
    generation.closed(this, note(DisconnectCause.CLIENT_CLOSED));
  }

  // ---- going quiet ---------------------------------------------------------------------------

  /** Who is at the other end. */
  Introduction introduction() {
    return introduction;
  }

  boolean isMarked() {
    return quiet != null;
  }

  int oneWayPending() {
    return oneWayPending;
  }

  /** It is to go quiet, and to end; sooner, if it is going already. Safe from every thread. */
  void mark(Terms terms) {
    client.eventLoop().execute(() -> markNow(terms));
  }

  /** If it is going quiet, it is to have ended sooner. Safe from every thread. */
  void tighten(Terms terms) {
    client
        .eventLoop()
        .execute(
            () -> {
              if (quiet != null) {
                markNow(terms);
              }
            });
  }

  private void markNow(Terms terms) {
    if (ending) {
      return;
    }
    if (quiet == null) {
      quiet = new QuietHost(this);
    }
    quiet.mark(terms, requests.isWhole(), answeredOnce);
  }

  /** What becomes of the request that was just peeked. */
  QuietHost.Verdict admit(RequestPeek peek, int maxWaitMillis, boolean acknowledging) {
    short key = peek.apiKey();
    introduction.asked(key);
    if (quiet == null) {
      return QuietHost.Verdict.FORWARD;
    }
    if (!peek.answered()) {
      return quiet.oneWayRead();
    }
    var trait = acknowledging ? RequestTrait.ACKNOWLEDGING : RequestTrait.PLAIN;
    return quiet.requestRead(
        Requests.of(inFlight.nextPosition(), key, peek.apiVersion(), maxWaitMillis, trait));
  }

  /** A burst of reading has ended. */
  void burstRead() {
    if (quiet != null) {
      quiet.bytesRead(requests.isWhole());
    }
    endIfQuiet();
  }

  /** The request that was asked last was kept whole. */
  void held(ByteBuf frame) {
    if (ending) {
      frame.release();
    } else {
      ownAnswers.hold(frame);
    }
  }

  /** The header of a response has come; returns what {@link QuietHost#responseCame} does. */
  int responseCame(long position, short key, short version) {
    return quiet == null ? QuietHost.PASS : quiet.responseCame(position, key, version);
  }

  /** The last byte of a response is with the client's channel. */
  void responseEnded(long position) {
    if (quiet != null) {
      quiet.answered(position);
    }
  }

  /** Answers the request whose turn it is in the broker's place. */
  void answerInPlace(long position, int throttleMillis) {
    if (position != inFlight.answeredPosition()) {
      throw new IllegalStateException(
          "expected to answer " + inFlight.answeredPosition() + " next, found " + position);
    }
    var answer = ownAnswers.inPlaceOfTheBroker(position, throttleMillis);
    if (answer == null) {
      end(DisconnectCause.DRAINED, null);
      return;
    }
    inFlight.answer();
    answer(answer, 1);
    client.flush();
  }

  /** Reads the current frame to its end, and nothing new. */
  void stopReading() {
    pause(Pause.QUIESCING);
  }

  /** Reads on, beginning with what is parked. */
  void resumeReading() {
    // Not within the step that asks for it: what is parked is told anew.
    client.eventLoop().execute(() -> resume(Pause.QUIESCING));
  }

  /** Tells the client the end once all is written, and reads on to the client's own. */
  void sendEnd() {
    note(DisconnectCause.DRAINED);
    clientFarewell.sayEnd();
    resumeReading();
  }

  /** It is over. */
  void closeQuietly(QuietReport report) {
    generation.wentQuiet(report);
    if (report.count(Outcome.FORCED) > 0) {
      cutNow();
    } else {
      end(
          report.count(Outcome.CLIENT_LEFT) > 0
              ? DisconnectCause.CLIENT_CLOSED
              : DisconnectCause.DRAINED,
          null);
    }
  }

  /**
   * Ends at once. Safe from every thread.
   *
   * @return done when what that cost is told to the generation
   */
  Future<?> force() {
    return client
        .eventLoop()
        .submit(
            () -> {
              markNow(
                  Terms.of(
                      Terms.Way.PAUSE_AND_CLOSE, Bounds.PAUSE, System.nanoTime(), Duration.ZERO));
              cutNow();
            });
  }

  private void cutNow() {
    end(DisconnectCause.FORCED, null);
    if (upstreamFarewell != null) {
      upstreamFarewell.closeSoon();
    }
    client.close();
  }

  /**
   * Ends the connection if nothing is left to do for it: its client has said its end, or it is
   * being quiesced. What was read and waits for a broker to be reached is left to do.
   */
  void endIfQuiet() {
    if (ending || dialling || quiet != null) {
      return;
    }
    if (clientEnded && !requests.hasParked()) {
      if (unanswered() == 0) {
        end(DisconnectCause.CLIENT_CLOSED, null);
      } else if (upstreamFarewell != null) {
        upstreamFarewell.sayEnd();
      }
    } else if (isQuiescing() && !requests.isWithinFrame()) {
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
    boolean unanswered =
        !answeredOnce && now - openedAt > network.unauthenticatedIdleTimeout().toNanos();
    if (unanswered || now - movedAt > network.idleTimeout().toNanos()) {
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
