package dev.sluice.proxy;

import dev.sluice.protocol.MalformedFrameException;
import dev.sluice.protocol.ThrottleStamp;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Answers in the broker's place, one by one, in the order in which their turns came: a filter may
 * still have the request of one, or the answer to the one before. Belongs to the connection's event
 * loop.
 */
final class AnswersInPlace {

  /** The turn of a request has come. */
  private record Due(long position, int throttleMillis) {}

  private final ClientConnection connection;
  private final InFlight inFlight;
  private final OwnAnswers ownAnswers;

  /** At most as many as are in flight. */
  private final Queue<Due> due = new ArrayDeque<>(2);

  AnswersInPlace(ClientConnection connection, OwnAnswers ownAnswers) {
    this.connection = connection;
    this.inFlight = connection.inFlight();
    this.ownAnswers = ownAnswers;
  }

  /** What there is to be given, also without a turn that somebody says. */
  OwnAnswers answers() {
    return ownAnswers;
  }

  /** Whether the turn of a request has come that is not answered yet. */
  boolean isDue(long position) {
    return due.stream().anyMatch(each -> each.position() == position);
  }

  /** The turn of a request has come. */
  void answer(long position, int throttleMillis) {
    due.add(new Due(position, throttleMillis));
    goOn();
  }

  /** Answers as many as can be answered now. */
  void goOn() {
    for (var next = due.peek(); next != null && mayAnswer(next); next = due.peek()) {
      due.remove();
      answer(next);
    }
  }

  private boolean mayAnswer(Due next) {
    var filtering = connection.filtering();
    return !filtering.isAnswering() && !filtering.isUndecided(next.position());
  }

  private void answer(Due turn) {
    long position = turn.position();
    if (position != inFlight.answeredPosition()) {
      throw new IllegalStateException(
          "expected to answer " + inFlight.answeredPosition() + " next, found " + position);
    }
    var said = ownAnswers.heldAnswer(position);
    if (said != null) {
      give(stamped(said, turn));
      return;
    }
    var answer = ownAnswers.inPlaceOfTheBroker(position, turn.throttleMillis());
    if (answer == null) {
      connection.end(DisconnectCause.DRAINED, null);
    } else if (isFiltered(position)) {
      connection.filtering().response(position, answer, this::giveFiltered);
    } else {
      give(answer);
    }
  }

  /** A filter does not know of the pause that the client is to be asked for. */
  private ByteBuf stamped(ByteBuf answer, Due turn) {
    if (turn.throttleMillis() > 0) {
      var stamp = new ThrottleStamp();
      int body = answer.readerIndex() + Integer.BYTES;
      short key = inFlight.apiKey(turn.position());
      short version = inFlight.version(turn.position());
      stamp.begin(key, version, answer.writerIndex() - body, turn.throttleMillis());
      try {
        stamp.feed(answer, body, answer.writerIndex());
      } catch (MalformedFrameException e) {
        throw new IllegalStateException("expected what was just written to be readable", e);
      }
    }
    return answer;
  }

  private boolean isFiltered(long position) {
    return connection
        .filtering()
        .wantsResponse(inFlight.apiKey(position), inFlight.version(position));
  }

  private void giveFiltered(ByteBuf answer) {
    give(answer);
    connection.brokerSide().readOn();
    goOn();
  }

  private void give(ByteBuf answer) {
    var clientSide = connection.clientSide();
    inFlight.answer();
    clientSide.answer(answer, 1);
    clientSide.giveOwnAnswers();
    clientSide.flush();
  }

  /** The connection ends. */
  void release() {
    due.clear();
    ownAnswers.release();
  }
}
