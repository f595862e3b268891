package dev.sluice.proxy;

import dev.sluice.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a broker answers. As with requests, a chunk is walked from header to header and goes
 * on as one slice. Only a response that names brokers is collected, read and written anew; it is
 * recognised by the request whose turn it is.
 */
final class ResponseHandler extends ChannelInboundHandlerAdapter {

  private final ClientConnection connection;
  private final DueResponse response;

  /** The beginning of a header that is not complete. */
  private @Nullable ByteBuf cutHeader;

  /** Whether a chunk is being walked. */
  private boolean consuming;

  /** What came while a filter had a response. */
  private final Queue<ByteBuf> parked = new ArrayDeque<>(0);

  /** Whether the broker sent its last byte meanwhile. */
  private boolean endParked;

  /** Whether another upstream connection serves the client: what comes here is not heard. */
  private boolean isLeft;

  ResponseHandler(ClientConnection connection, Generation generation) {
    this.connection = connection;
    this.response = new DueResponse(connection, generation);
  }

  /** As {@link DueResponse#serve}. */
  void serve(Generation next) {
    response.serve(next);
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    var chunk = (ByteBuf) message;
    if (isHeldUp()) {
      parked.add(chunk);
      return;
    }
    connection.moved(System.nanoTime());
    consumeAll(chunk);
  }

  /** Whether what comes has to wait for a filter that has a response. */
  private boolean isHeldUp() {
    return connection.filtering().isAnswering() && !connection.isEnding();
  }

  /** The filters are done with what held the others up. */
  void goOn() {
    while (!consuming && !parked.isEmpty() && !isHeldUp()) {
      consumeAll(parked.remove());
    }
    connection.clientSide().flush();
    if (endParked && !isHeldUp() && parked.isEmpty()) {
      endParked = false;
      connection.parting().upstreamEnded();
    }
  }

  private void consumeAll(ByteBuf chunk) {
    consuming = true;
    try {
      if (!connection.isEnding()) {
        consume(chunk);
      }
    } catch (MalformedFrameException e) {
      connection.end(DisconnectCause.BAD_RESPONSE, e.getMessage());
    } finally {
      consuming = false;
      chunk.release();
    }
    if (!isLeft) {
      connection.answering().came(connection.movedAt(), cutHeader != null, response.left() > 0);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    connection.clientSide().flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    connection.brokerSide().writable(channel.channel().isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (Handshakes.isEnd(event) && !connection.brokerSide().settled()) {
      endParked = isHeldUp();
      if (!endParked) {
        connection.parting().upstreamEnded();
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    if (!connection.brokerSide().settled()) {
      connection.parting().upstreamClosed();
    }
  }

  /** Its channel is closed, or has been left. */
  @Override
  public void handlerRemoved(ChannelHandlerContext channel) {
    isLeft = true;
    if (cutHeader != null) {
      cutHeader.release();
      cutHeader = null;
    }
    parked.forEach(ByteBuf::release);
    parked.clear();
    response.abandon();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
    connection.parting().upstreamFailed(Handshakes.cause(failure));
  }

  private void consume(ByteBuf chunk) throws MalformedFrameException {
    if ((cutHeader != null && !completeHeader(cutHeader, chunk)) || isLeft) {
      return;
    }
    if (isHeldUp()) {
      park(chunk, chunk.readerIndex());
      return;
    }
    int at = chunk.readerIndex();
    int end = chunk.writerIndex();
    int from = at;
    while (true) {
      int taken = (int) Math.min(response.left(), end - at);
      if (taken > 0) {
        int plain = taken(chunk, from, at, taken);
        if (plain < taken) {
          forward(chunk, from, at + plain);
          from = at + taken;
        }
        at += taken;
        if (response.left() == 0) {
          response.end();
        }
      }
      if (isHeldUp()) {
        park(chunk, at);
        return;
      }
      if (response.left() == 0 && connection.clientSide().hasOwnSay()) {
        forward(chunk, from, at);
        from = at;
        response.letFollow();
        if (isLeft) {
          return;
        }
      }
      if (end - at < DueResponse.HEADER_BYTES) {
        break;
      }
      if (!begun(chunk, from, at)) {
        forward(chunk, from, at);
        refuse(chunk, at);
        return;
      }
    }
    if (at < end) {
      cutHeader = chunk.alloc().buffer(DueResponse.HEADER_BYTES).writeBytes(chunk, at, end - at);
    }
    forward(chunk, from, at);
  }

  /** What follows a response that a filter has waits for it. */
  private void park(ByteBuf chunk, int at) {
    connection.brokerSide().read(false);
    if (at < chunk.writerIndex()) {
      parked.add(chunk.retainedSlice(at, chunk.writerIndex() - at));
    }
  }

  /** Begins; the responses before one that is broken are still given. */
  private boolean begun(ByteBuf chunk, int from, int at) throws MalformedFrameException {
    try {
      return response.begin(chunk, at);
    } catch (MalformedFrameException e) {
      forward(chunk, from, at);
      throw e;
    }
  }

  /** Takes; the responses before one that is broken are still given. */
  private int taken(ByteBuf chunk, int from, int at, int count) throws MalformedFrameException {
    try {
      return response.take(chunk, at, count);
    } catch (MalformedFrameException e) {
      forward(chunk, from, at);
      throw e;
    }
  }

  /** Returns whether the header, of which a chunk's end had cut off a part, is whole. */
  private boolean completeHeader(ByteBuf header, ByteBuf chunk) throws MalformedFrameException {
    int lacking = DueResponse.HEADER_BYTES - header.readableBytes();
    header.writeBytes(chunk, Math.min(lacking, chunk.readableBytes()));
    if (header.readableBytes() < DueResponse.HEADER_BYTES) {
      return false;
    }
    cutHeader = null;
    try {
      if (!response.begin(header, 0)) {
        refuse(header, 0);
        return false;
      }
      int plain = response.take(header, 0, DueResponse.HEADER_BYTES);
      if (response.left() == 0) {
        response.end();
      }
      forward(header, 0, plain);
      if (response.left() == 0 && !isHeldUp()) {
        response.letFollow();
      }
      return true;
    } finally {
      header.release();
    }
  }

  private void forward(ByteBuf chunk, int from, int to) {
    if (to > from) {
      response.give(chunk.retainedSlice(from, to - from));
    }
  }

  private void refuse(ByteBuf in, int at) {
    connection.end(DisconnectCause.BAD_RESPONSE, response.unlike(in, at));
  }
}
