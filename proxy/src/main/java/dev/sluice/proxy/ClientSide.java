package dev.sluice.proxy;

import dev.sluice.protocol.ApiVersions;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The way of answers to one client, the broker's and the proxy's own, in the order of requests.
 * Belongs to the connection's event loop.
 */
final class ClientSide {

  private final ClientConnection connection;
  private final SocketChannel client;
  private final InFlight inFlight;

  /** Made for the first answer of the proxy's own: most connections never get one. */
  private @Nullable AnswersInPlace inPlace;

  private volatile boolean served;

  ClientSide(ClientConnection connection) {
    this.connection = connection;
    this.client = connection.client();
    this.inFlight = connection.inFlight();
  }

  /** Some request of the client was answered, or forwarded where none is due. */
  void served() {
    if (!served) {
      served = true;
      connection.generation().connections().answeredFirst(connection);
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
    if (written.cause() instanceof OutOfMemoryError failure) {
      connection.parting().clientFailed(failure);
    }
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
    inPlace().answers().add(position, answer);
    giveOwnAnswers();
    client.flush();
  }

  /** Gives the proxy's own answers whose turn has come. */
  void giveOwnAnswers() {
    if (inPlace == null) {
      return;
    }
    var own = inPlace.answers();
    for (var answer = own.next(); answer != null; answer = own.next()) {
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
    if (connection.isEnding() || inFlight.isAnswered(inFlight.nextPosition() - 1)) {
      frame.release();
    } else {
      inPlace().answers().hold(frame);
    }
  }

  /** A filter's answer to a request that was to be kept; given when it is said to be due. */
  void heldAnswer(long position, ByteBuf answer) {
    inPlace().answers().holdAnswer(position, answer);
  }

  /** A filter's answer to a request that was to be forwarded. */
  void answerInstead(long position, ByteBuf answer) {
    inFlight.answerHere(position);
    if (inPlace().isDue(position)) {
      connection.quiet().responseCame(position, inFlight.apiKey(position), (short) 0);
      inPlace().answers().holdAnswer(position, answer);
    } else {
      answerItself(position, answer);
    }
  }

  /** Answers the request whose turn it is in the broker's place. */
  void answerInPlace(long position, int throttleMillis) {
    inPlace().answer(position, throttleMillis);
  }

  /** Goes on with what is to be answered in the broker's place. */
  void answerDue() {
    if (inPlace != null) {
      inPlace.goOn();
    }
  }

  /** Nothing of the proxy's own is given any more. */
  void release() {
    if (inPlace != null) {
      inPlace.release();
    }
  }

  private AnswersInPlace inPlace() {
    if (inPlace == null) {
      inPlace = new AnswersInPlace(connection, new OwnAnswers(inFlight, client.alloc()));
    }
    return inPlace;
  }
}
