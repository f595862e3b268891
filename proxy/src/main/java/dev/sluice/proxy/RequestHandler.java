package dev.sluice.proxy;

import dev.sluice.protocol.ApiVersions;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.ClientHello;
import dev.sluice.protocol.FetchPeek;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.RequestPeek;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a client sends. There is no frame decoder: a chunk from the socket is walked from
 * header to header, and goes on to the broker as one slice, whatever number of frames or part of a
 * frame it is. Nothing is copied but the first bytes of a header that a chunk's end cut in two.
 *
 * <p>What cannot be forwarded yet is parked: at most what one read of the socket gave, since the
 * client is not read meanwhile.
 */
final class RequestHandler extends ChannelInboundHandlerAdapter {

  private static final int NO_POLL = -1;

  /** What is set aside at first for a request that the proxy answers itself, in bytes. */
  private static final int FIRST_HELD_BYTES = 4 * 1024;

  private final ClientConnection connection;
  private LimitsSpec limits;
  private RequestPeek peek;
  private final FetchPeek fetch = new FetchPeek();
  private final Queue<ByteBuf> parked = new ArrayDeque<>(2);

  /** The beginning of a header that is not complete. */
  private @Nullable ByteBuf cutHeader;

  /** Bytes of the current frame that are still to come, its length included. */
  private long left;

  /** Whether the current frame goes to the broker; what the proxy answers itself does not. */
  private boolean forwarding = true;

  /** After a header could not be completed: whether it is for want of bytes. */
  private boolean headerLacksBytes;

  private boolean oneWay;
  private int oneWayEnds;

  /** What becomes of the request that was peeked last. */
  private QuietHost.Verdict verdict = QuietHost.Verdict.FORWARD;

  /** Of a poll that was peeked, how long the broker may sit on it; else {@link #NO_POLL}. */
  private int maxWaitMillis = NO_POLL;

  private boolean acknowledging;

  /** Whether the client has said who it is. */
  private boolean introduced;

  /** The current frame, which filters want or the proxy will answer itself. */
  private @Nullable ByteBuf held;

  /** Whether filters want the current frame. */
  private boolean filtering;

  /** Whether a chunk is being walked: a write may fail at once and end the connection within. */
  private boolean consuming;

  RequestHandler(ClientConnection connection, LimitsSpec limits) {
    this.connection = connection;
    this.limits = limits;
    this.peek = new RequestPeek(limits.maxFrameSize());
  }

  /** Other bounds hold from here on. */
  void limit(LimitsSpec bounds) {
    limits = bounds;
    peek = new RequestPeek(bounds.maxFrameSize());
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    var chunk = (ByteBuf) message;
    if (connection.isEnding()) {
      chunk.release();
      return;
    }
    connection.moved(System.nanoTime());
    parked.add(chunk);
    if (parked.size() == 1) {
      consumeParked();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    connection.brokerSide().flush();
    connection.burstRead();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    connection.clientSide().writable(channel.channel().isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (Handshakes.isEnd(event)) {
      connection.parting().clientEnded();
    } else if (event instanceof SslHandshakeCompletionEvent done && !done.isSuccess()) {
      connection.parting().handshakeFailed(done.cause());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    connection.parting().clientClosed();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
    connection.parting().clientFailed(Handshakes.cause(failure));
  }

  /** Whether something was read and not yet forwarded. */
  boolean hasParked() {
    return !parked.isEmpty();
  }

  /**
   * Whether all that was read is whole requests; of a connection that reads nothing new, what was
   * not begun does not count.
   */
  boolean isWhole() {
    return left == 0 && (connection.isQuiescing() || (cutHeader == null && parked.isEmpty()));
  }

  /** Whether a frame has been forwarded in part: the rest of it must follow. */
  boolean isWithinFrame() {
    return left > 0;
  }

  /** Goes on with what is parked, as far as it can be forwarded. */
  void consumeParked() {
    if (consuming) {
      return;
    }
    consuming = true;
    try {
      while (!parked.isEmpty() && !connection.isEnding() && consume(parked.element())) {
        parked.remove().release();
      }
    } finally {
      consuming = false;
    }
    connection.asking().came(connection.movedAt(), cutHeader != null, left > 0);
    if (connection.isEnding()) {
      release();
    }
    connection.quiet().takenIn();
  }

  /** Forgets what was not forwarded; a chunk that is just being consumed, right after that. */
  void release() {
    if (!consuming) {
      parked.forEach(ReferenceCountUtil::release);
      parked.clear();
      releaseCutHeader();
      if (held != null) {
        held.release();
        held = null;
      }
    }
  }

  /** Returns whether all of the chunk was consumed; else its reader index says how far. */
  private boolean consume(ByteBuf chunk) {
    if (cutHeader != null && !completeHeader(cutHeader, chunk)) {
      return cutHeader != null && headerLacksBytes;
    }
    int at = chunk.readerIndex();
    int end = chunk.writerIndex();
    int from = at;
    while (true) {
      int taken = (int) Math.min(left, end - at);
      if (held != null) {
        held.writeBytes(chunk, at, taken);
      }
      at += taken;
      left -= taken;
      if (left == 0) {
        endFrame();
      }
      if (!forwarding) {
        from = at;
      }
      if (at == end || !mayBegin(chunk, at)) {
        break;
      }
      var outcome = peek.peek(chunk, at, end);
      if (outcome != RequestPeek.Outcome.PEEKED) {
        forward(chunk, from, at);
        return stopAt(outcome, chunk);
      }
      if (!mayForward() || !isAdmitted(chunk, at)) {
        break;
      }
      begin();
      if (!forwarding) {
        forward(chunk, from, at);
        from = at;
      }
    }
    forward(chunk, from, at);
    return at == end;
  }

  private boolean stopAt(RequestPeek.Outcome outcome, ByteBuf chunk) {
    if (outcome == RequestPeek.Outcome.MORE) {
      cutHeader = chunk.alloc().buffer(Math.max(peek.bytesNeeded(), chunk.readableBytes()));
      cutHeader.writeBytes(chunk);
      return true;
    }
    malformed(chunk);
    return false;
  }

  /** Adds to a header that was cut in two just what it lacks, and begins its frame. */
  private boolean completeHeader(ByteBuf header, ByteBuf chunk) {
    headerLacksBytes = false;
    var outcome = peek.peek(header, header.readerIndex(), header.writerIndex());
    while (outcome == RequestPeek.Outcome.MORE) {
      int lacking = Math.max(1, peek.bytesNeeded() - header.readableBytes());
      if (!chunk.isReadable()) {
        headerLacksBytes = true;
        return false;
      }
      header.writeBytes(chunk, Math.min(lacking, chunk.readableBytes()));
      outcome = peek.peek(header, header.readerIndex(), header.writerIndex());
    }
    if (outcome == RequestPeek.Outcome.MALFORMED) {
      malformed(header);
      return false;
    }
    if (!mayBegin(header, header.readerIndex())
        || !mayForward()
        || !isAdmitted(header, header.readerIndex())) {
      return false;
    }
    cutHeader = null;
    begin();
    left -= header.readableBytes();
    if (held != null) {
      held.writeBytes(header, header.readerIndex(), header.readableBytes());
    }
    if (left == 0) {
      endFrame();
    }
    if (forwarding) {
      send(header);
    } else {
      header.release();
    }
    return true;
  }

  /**
   * Whether another frame may begin now. While quiescing only what has been read whole is forwarded
   * still, so that nothing is left half way.
   */
  private boolean mayBegin(ByteBuf in, int at) {
    if (connection.filtering().isAsking()) {
      return false;
    }
    if (connection.inFlight().size() >= limits.maxInFlight()) {
      connection.generation().meters().reached(Limit.MAX_IN_FLIGHT);
      connection.pause(ClientConnection.Pause.IN_FLIGHT_FULL);
      return false;
    }
    int there = in.writerIndex() - at;
    return !connection.isQuiescing()
        || (there >= FrameCheck.LENGTH_BYTES && in.getInt(at) <= there - FrameCheck.LENGTH_BYTES);
  }

  private boolean mayForward() {
    return isAnsweredHere() || connection.brokerSide().isReady();
  }

  /** KIP-511: whatever version a client asks for, it is told which ones there are. */
  private boolean isAnsweredHere() {
    return !Apis.known(peek.apiKey(), peek.apiVersion());
  }

  /** Asks what becomes of the peeked request; false if it stays unread. */
  private boolean isAdmitted(ByteBuf in, int at) {
    short key = peek.apiKey();
    maxWaitMillis = NO_POLL;
    acknowledging = false;
    if (key == Requests.FETCH || (key == Requests.SHARE_FETCH && connection.quiet().isHosted())) {
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
  private void begin() {
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
      if (maxWaitMillis != NO_POLL) {
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

  private void endFrame() {
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

  private void forward(ByteBuf chunk, int from, int to) {
    if (to > from) {
      send(chunk.retainedSlice(from, to - from));
    }
    chunk.readerIndex(to);
  }

  private void send(ByteBuf bytes) {
    int ends = oneWayEnds;
    oneWayEnds = 0;
    connection.brokerSide().forward(bytes, ends);
  }

  private void malformed(ByteBuf in) {
    int at = in.readerIndex();
    if (FrameCheck.isRequestOverBound(in, at, in.writerIndex(), limits.maxFrameSize())) {
      connection.generation().meters().reached(Limit.MAX_FRAME_SIZE);
    }
    connection.end(
        DisconnectCause.BAD_REQUEST,
        FrameCheck.unlikeRequest(in, at, in.writerIndex(), limits.maxFrameSize()));
  }

  private void releaseCutHeader() {
    if (cutHeader != null) {
      cutHeader.release();
      cutHeader = null;
    }
  }
}
