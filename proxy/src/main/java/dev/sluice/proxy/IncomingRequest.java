package dev.sluice.proxy;

import dev.sluice.protocol.ApiVersions;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.ClientHello;
import dev.sluice.protocol.FetchPeek;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.RequestPeek;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The request that a client is sending: what its header says, and what becomes of its bytes. They
 * go to the broker as they come, or are kept until filters or the proxy itself have the whole
 * request, or are dropped.
 *
 * <p>One object serves all requests of a connection, one after the other. Belongs to the
 * connection's event loop.
 */
final class IncomingRequest {

  private static final int NO_POLL = -1;

  /** What is set aside at first for a request that the proxy answers itself, in bytes. */
  private static final int FIRST_HELD_BYTES = 4 * 1024;

  private final ClientConnection connection;
  private RequestPeek peek;

  /** Made for the first poll: producers send none. */
  private @Nullable FetchPeek fetch;

  /** Bytes that are still to come, its length included. */
  private long left;

  /** Whether it goes to the broker as it comes. */
  private boolean forwarding = true;

  /** Whether it gets no answer. */
  private boolean oneWay;

  /** How many requests without an answer ended since bytes were last sent. */
  private int oneWayEnds;

  /** What becomes of the request that was peeked last. */
  private QuietHost.Verdict verdict = QuietHost.Verdict.FORWARD;

  /** Of a poll that was peeked, how long the broker may sit on it; else {@link #NO_POLL}. */
  private int maxWaitMillis = NO_POLL;

  /** Whether the client has said who it is. */
  private boolean introduced;

  /** What was kept of it, if filters want it or the proxy will answer it itself. */
  private @Nullable ByteBuf held;

  /** Whether filters want it. */
  private boolean filtering;

  IncomingRequest(ClientConnection connection, int maxFrameSize) {
    this.connection = connection;
    this.peek = new RequestPeek(maxFrameSize);
  }

  /** Another bound holds from here on, in bytes. */
  void limit(int maxFrameSize) {
    peek = new RequestPeek(maxFrameSize);
  }

  /** Bytes of it that are still to come; zero between two requests. */
  long left() {
    return left;
  }

  /** Whether its bytes go to the broker as they come. */
  boolean isForwarded() {
    return forwarding;
  }

  /** Looks at the header that begins here. */
  RequestPeek.Outcome peek(ByteBuf in, int at) {
    return peek.peek(in, at, in.writerIndex());
  }

  /** How many bytes from its beginning on a look at its header needs, as far as it is known. */
  int bytesNeeded() {
    return peek.bytesNeeded();
  }

  /** KIP-511: whatever version a client asks for, it is told which ones there are. */
  boolean isAnsweredHere() {
    return !Apis.known(peek.apiKey(), peek.apiVersion());
  }

  /** Asks what becomes of the peeked request; false if it stays unread. */
  boolean isAdmitted(ByteBuf in, int at) {
    short key = peek.apiKey();
    maxWaitMillis = NO_POLL;
    boolean acknowledging = false;
    if (key == Requests.FETCH || (key == Requests.SHARE_FETCH && connection.quiet().isHosted())) {
      if (fetch == null) {
        fetch = new FetchPeek();
      }
      if (fetch.peek(in, at, in.writerIndex()) == RequestPeek.Outcome.PEEKED) {
        maxWaitMillis = fetch.maxWaitMillis();
        acknowledging = fetch.mayAcknowledge();
      }
    }
    if (!introduced) {
      introduced = true;
      connection
          .introduction()
          .introduce(
              ClientHello.clientId(in, at, in.writerIndex()),
              isAnsweredHere() ? null : ClientHello.software(in, at, in.writerIndex()));
    }
    verdict = connection.quiet().admit(peek, maxWaitMillis, acknowledging);
    return verdict != QuietHost.Verdict.PARK;
  }

  /** Takes the peeked request in. */
  void begin() {
    left = (long) peek.frameBytes() + FrameCheck.LENGTH_BYTES;
    short key = peek.apiKey();
    var inFlight = connection.inFlight();
    connection.generation().meters().asked(key, left);
    boolean here = isAnsweredHere();
    boolean toBroker = !here && verdict == QuietHost.Verdict.FORWARD;
    boolean decides = !here && verdict != QuietHost.Verdict.DISCARD;
    filtering = decides && connection.filtering().wantsRequest(peek);
    forwarding = toBroker && !filtering;
    oneWay = toBroker && !peek.answered();
    if (verdict == QuietHost.Verdict.DISCARD) {
      connection.generation().meters().finished(1);
    } else if (oneWay) {
      connection.brokerSide().oneWayAsked();
    } else {
      inFlight.ask(key, peek.apiVersion(), peek.correlationId(), !toBroker, connection.movedAt());
      if (maxWaitMillis != NO_POLL && fetch != null) {
        inFlight.notePoll(maxWaitMillis, fetch.sessionId());
      }
    }
    if (filtering) {
      held = Unpooled.buffer((int) Math.min(left, FIRST_HELD_BYTES));
      if (!oneWay) {
        connection.filtering().expect();
      }
    } else if (verdict == QuietHost.Verdict.HOLD) {
      held = connection.client().alloc().buffer((int) Math.min(left, FIRST_HELD_BYTES));
    } else if (here && verdict == QuietHost.Verdict.FORWARD) {
      connection
          .clientSide()
          .answerItself(ApiVersions.unsupported(peek.correlationId(), connection.client().alloc()));
    }
  }

  /** Takes its next bytes; with the last of them it has come to its end. */
  void take(ByteBuf in, int at, int count) {
    if (held != null) {
      held.writeBytes(in, at, count);
    }
    left -= count;
    if (left == 0) {
      end();
    }
  }

  private void end() {
    if (held != null) {
      var whole = held;
      held = null;
      if (filtering) {
        filter(whole);
      } else {
        connection.clientSide().held(whole);
      }
    }
    if (oneWay) {
      oneWay = false;
      oneWayEnds++;
    }
  }

  private void filter(ByteBuf whole) {
    var fate =
        verdict == QuietHost.Verdict.HOLD
            ? Filtering.Fate.HELD
            : oneWay ? Filtering.Fate.ONE_WAY : Filtering.Fate.FORWARDED;
    oneWay = false;
    filtering = false;
    connection.filtering().request(whole, fate);
  }

  /** Hands bytes to the broker, with which all requests end that have ended so far. */
  void send(ByteBuf bytes) {
    int ends = oneWayEnds;
    oneWayEnds = 0;
    connection.brokerSide().forward(bytes, ends);
  }

  /** Forgets what was kept. */
  void release() {
    if (held != null) {
      held.release();
      held = null;
    }
  }
}
