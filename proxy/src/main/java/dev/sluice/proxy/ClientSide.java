package dev.sluice.proxy;

import dev.sluice.protocol.ApiVersions;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;

/**
 * The way of answers to one client, the broker's and the proxy's own, in the order of requests.
 * Belongs to the connection's event loop.
 */
final class ClientSide {

  private final ClientConnection connection;
  private final SocketChannel client;
  private final InFlight inFlight;
  private final OwnAnswers ownAnswers;

  private volatile boolean served;

  ClientSide(ClientConnection connection) {
    this.connection = connection;
    this.client = connection.client();
    this.inFlight = connection.inFlight();
    this.ownAnswers = new OwnAnswers(inFlight, client.alloc());
  }

  /** Some request of the client was answered, or forwarded where none is due. */
  void served() {
    if (!served) {
      served = true;
      connection.generation().answeredFirst(connection);
    }
  }

  /** Whether {@link #served} ever. Safe from every thread. */
  boolean wasServed() {
    return served;
  }

  /** Hands bytes of a response to the client's channel; {@code answers} responses end in them. */
  void answer(ByteBuf bytes, int answers) {
    if (answers == 0) {
      client.write(bytes, client.voidPromise());
    } else {
      served();
      long position = inFlight.answeredPosition();
      client
          .write(bytes)
          .addListener((ChannelFuture written) -> written(written, position, answers));
    }
    if (!client.isWritable()) {
      connection.brokerSide().read(false);
    }
  }

  private void written(ChannelFuture written, long position, int answers) {
    if (!written.isSuccess() || connection.parting().hasLeft()) {
      return;
    }
    inFlight.writtenUpTo(position);
    connection.generation().meters().finished(answers);
    connection.quiet().written(position);
    if (inFlight.size() < connection.generation().limits().maxInFlight()) {
      connection.resume(ClientConnection.Pause.IN_FLIGHT_FULL);
    }
    connection.parting().endIfQuiet();
  }

  void flush() {
    client.flush();
  }

  void writable(boolean writable) {
    connection.moved(System.nanoTime());
    connection.brokerSide().read(writable || connection.isEnding());
  }

  // ---- answers of the proxy's own ------------------------------------------------------------

  /**
   * An answer of the proxy's own, for the request that was asked last; given when its turn comes.
   */
  void answerItself(ByteBuf answer) {
    answerItself(inFlight.nextPosition() - 1, answer);
  }

  /** An answer in the broker's place; given when its turn comes. */
  void answerItself(long position, ByteBuf answer) {
    if (connection.isEnding()) {
      answer.release();
      return;
    }
    ownAnswers.add(position, answer);
    giveOwnAnswers();
    client.flush();
  }

  /** Gives the proxy's own answers whose turn has come. */
  void giveOwnAnswers() {
    for (var answer = ownAnswers.next(); answer != null; answer = ownAnswers.next()) {
      long position = inFlight.answeredPosition();
      connection.quiet().responseCame(position, ApiVersions.API_KEY, (short) 0);
      inFlight.answer();
      answer(answer, 1);
      connection.quiet().answered(position);
    }
  }

  /** Whether something of the proxy's own may have to follow the response that has just ended. */
  boolean hasOwnSay() {
    return connection.quiet().isHosted() || inFlight.ownAnswerIsNext();
  }

  /** The request that was asked last was kept whole. */
  void held(ByteBuf frame) {
    if (connection.isEnding()) {
      frame.release();
    } else {
      ownAnswers.hold(frame);
    }
  }

  /** Answers the request whose turn it is in the broker's place. */
  void answerInPlace(long position, int throttleMillis) {
    if (position != inFlight.answeredPosition()) {
      throw new IllegalStateException(
          "expected to answer " + inFlight.answeredPosition() + " next, found " + position);
    }
    boolean unseen = ownAnswers.isHeld(position);
    var answer = ownAnswers.inPlaceOfTheBroker(position, throttleMillis);
    if (answer == null) {
      connection.end(DisconnectCause.DRAINED, null);
    } else if (unseen || !isFiltered(position)) {
      giveInPlace(answer);
    } else {
      connection.filtering().response(position, answer, this::giveFiltered);
    }
  }

  private boolean isFiltered(long position) {
    return connection
        .filtering()
        .wantsResponse(inFlight.apiKey(position), inFlight.version(position));
  }

  private void giveFiltered(ByteBuf answer) {
    giveInPlace(answer);
    connection.brokerSide().readOn();
  }

  private void giveInPlace(ByteBuf answer) {
    inFlight.answer();
    answer(answer, 1);
    client.flush();
  }

  /** Nothing of the proxy's own is given any more. */
  void release() {
    ownAnswers.release();
  }
}
