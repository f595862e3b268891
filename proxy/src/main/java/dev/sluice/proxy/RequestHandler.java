package dev.sluice.proxy;

import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.RequestPeek;
import io.netty.buffer.ByteBuf;
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

  private final ClientConnection connection;
  private LimitsSpec limits;
  private final IncomingRequest request;
  private final Queue<ByteBuf> parked = new ArrayDeque<>(2);

  /** The beginning of a header that is not complete. */
  private @Nullable ByteBuf cutHeader;

  /** After a header could not be completed: whether it is for want of bytes. */
  private boolean headerLacksBytes;

  /** Whether a chunk is being walked: a write may fail at once and end the connection within. */
  private boolean consuming;

  RequestHandler(ClientConnection connection, LimitsSpec limits) {
    this.connection = connection;
    this.limits = limits;
    this.request = new IncomingRequest(connection, limits.maxFrameSize());
  }

  /** Other bounds hold from here on. */
  void limit(LimitsSpec bounds) {
    limits = bounds;
    request.limit(bounds.maxFrameSize());
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
    return request.left() == 0
        && (connection.isQuiescing() || (cutHeader == null && parked.isEmpty()));
  }

  /** Whether a frame has been forwarded in part: the rest of it must follow. */
  boolean isWithinFrame() {
    return request.left() > 0;
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
      if (connection.isEnding()) {
        release(); // Also when what ended it failed once more on its way here.
      }
    }
    connection.asking().came(connection.movedAt(), cutHeader != null, request.left() > 0);
    connection.quiet().takenIn();
  }

  /** Forgets what was not forwarded; a chunk that is just being consumed, right after that. */
  void release() {
    if (!consuming) {
      parked.forEach(ReferenceCountUtil::release);
      parked.clear();
      releaseCutHeader();
      request.release();
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
      int taken = (int) Math.min(request.left(), end - at);
      if (taken > 0) {
        request.take(chunk, at, taken);
        at += taken;
      }
      if (!request.isForwarded()) {
        from = at;
      }
      if (at == end || !mayBegin(chunk, at)) {
        break;
      }
      var outcome = request.peek(chunk, at);
      if (outcome != RequestPeek.Outcome.PEEKED) {
        forward(chunk, from, at);
        return stopAt(outcome, chunk);
      }
      if (!mayForward() || !request.isAdmitted(chunk, at)) {
        break;
      }
      request.begin();
      if (!request.isForwarded()) {
        forward(chunk, from, at);
        from = at;
      }
    }
    forward(chunk, from, at);
    return at == end;
  }

  private boolean stopAt(RequestPeek.Outcome outcome, ByteBuf chunk) {
    if (outcome == RequestPeek.Outcome.MORE) {
      cutHeader = chunk.alloc().buffer(Math.max(request.bytesNeeded(), chunk.readableBytes()));
      cutHeader.writeBytes(chunk);
      return true;
    }
    malformed(chunk);
    return false;
  }

  /** Adds to a header that was cut in two just what it lacks, and begins its frame. */
  private boolean completeHeader(ByteBuf header, ByteBuf chunk) {
    headerLacksBytes = false;
    var outcome = request.peek(header, header.readerIndex());
    while (outcome == RequestPeek.Outcome.MORE) {
      int lacking = Math.max(1, request.bytesNeeded() - header.readableBytes());
      if (!chunk.isReadable()) {
        headerLacksBytes = true;
        return false;
      }
      header.writeBytes(chunk, Math.min(lacking, chunk.readableBytes()));
      outcome = request.peek(header, header.readerIndex());
    }
    if (outcome == RequestPeek.Outcome.MALFORMED) {
      malformed(header);
      return false;
    }
    if (!mayBegin(header, header.readerIndex())
        || !mayForward()
        || !request.isAdmitted(header, header.readerIndex())) {
      return false;
    }
    cutHeader = null;
    request.begin();
    request.take(header, header.readerIndex(), header.readableBytes());
    if (request.isForwarded()) {
      request.send(header);
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
    if (connection.isEnding() || connection.filtering().isAsking()) {
      return false; // It ends if a filter could not read the request before, say.
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
    return request.isAnsweredHere() || connection.brokerSide().isReady();
  }

  private void forward(ByteBuf chunk, int from, int to) {
    if (to > from) {
      request.send(chunk.retainedSlice(from, to - from));
    }
    chunk.readerIndex(to);
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
