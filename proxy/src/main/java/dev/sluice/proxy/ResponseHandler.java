package dev.sluice.proxy;

import dev.sluice.protocol.ApiTreatment;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a broker answers. As with requests, a chunk is walked from header to header and goes
 * on as one slice. Only a response that names brokers is collected, read and written anew; it is
 * recognised by the request whose turn it is.
 */
final class ResponseHandler extends ChannelInboundHandlerAdapter {

  /** The length and the correlation id, in bytes. */
  private static final int HEADER_BYTES = FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_RESPONSE;

  /** What is set aside at first for a response that has to be collected, in bytes. */
  private static final int FIRST_COLLECTED_BYTES = 64 * 1024;

  private final ClientConnection connection;
  private final Generation generation;
  private final int maxFrameSize;

  /** The beginning of a header that is not complete. */
  private @Nullable ByteBuf cutHeader;

  /** The response that is being collected, its length included. */
  private @Nullable ByteBuf collected;

  /** Bytes of the current frame that are still to come. */
  private long left;

  private int answers;

  ResponseHandler(ClientConnection connection, Generation generation) {
    this.connection = connection;
    this.generation = generation;
    this.maxFrameSize = generation.limits().maxFrameSize();
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    var chunk = (ByteBuf) message;
    try {
      if (!connection.isEnding()) {
        connection.moved(System.nanoTime());
        consume(chunk);
      }
    } finally {
      chunk.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    connection.client().flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    connection.upstreamWritable(channel.channel().isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      connection.upstreamEnded();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    release(cutHeader);
    release(collected);
    cutHeader = null;
    collected = null;
    connection.upstreamClosed();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
    connection.failed(failure);
  }

  private void consume(ByteBuf chunk) {
    if (cutHeader != null && !completeHeader(cutHeader, chunk)) {
      return;
    }
    int at = chunk.readerIndex();
    int end = chunk.writerIndex();
    int from = at;
    while (true) {
      int taken = (int) Math.min(left, end - at);
      if (collected != null) {
        collected.writeBytes(chunk, at, taken);
        from += taken;
      }
      at += taken;
      left -= taken;
      if (taken > 0 && left == 0) {
        if (!endFrame()) {
          return;
        }
        if (connection.inFlight().ownAnswerIsNext()) {
          forward(chunk, from, at);
          from = at;
          connection.giveOwnAnswers();
        }
      }
      if (at == end) {
        break;
      }
      if (end - at < HEADER_BYTES) {
        cutHeader = chunk.alloc().buffer(HEADER_BYTES).writeBytes(chunk, at, end - at);
        break;
      }
      if (!begin(chunk, at)) {
        forward(chunk, from, at);
        refuse(chunk, at);
        return;
      }
      if (collected != null) {
        forward(chunk, from, at);
        from = at;
      }
    }
    forward(chunk, from, at);
  }

  private boolean completeHeader(ByteBuf header, ByteBuf chunk) {
    header.writeBytes(
        chunk, Math.min(HEADER_BYTES - header.readableBytes(), chunk.readableBytes()));
    if (header.readableBytes() < HEADER_BYTES) {
      return false;
    }
    if (!begin(header, header.readerIndex())) {
      refuse(header, header.readerIndex());
      return false;
    }
    cutHeader = null;
    left -= HEADER_BYTES;
    if (collected != null) {
      collected.writeBytes(header);
      header.release();
      return left > 0 || endFrame();
    }
    if (left == 0) {
      endFrame();
    }
    answer(header);
    return true;
  }

  /** Takes the response in whose header is whole; false where it is no answer to what was asked. */
  private boolean begin(ByteBuf in, int at) {
    int frameBytes = in.getInt(at);
    var inFlight = connection.inFlight();
    if (!FrameCheck.responseLength(frameBytes, maxFrameSize)
        || !inFlight.awaitsAnswer()
        || in.getInt(at + FrameCheck.LENGTH_BYTES) != inFlight.nextCorrelationId()) {
      return false;
    }
    left = (long) frameBytes + FrameCheck.LENGTH_BYTES;
    if (Apis.responseTreatment(inFlight.nextApiKey(), inFlight.nextVersion())
        == ApiTreatment.DECODED) {
      collected =
          connection
              .client()
              .alloc()
              .buffer((int) Math.min(left, FIRST_COLLECTED_BYTES), Integer.MAX_VALUE);
    }
    return true;
  }

  /** The response whose turn it is has come to its end; false where it could not be read. */
  private boolean endFrame() {
    var inFlight = connection.inFlight();
    short key = inFlight.nextApiKey();
    short version = inFlight.nextVersion();
    generation.meters().answered(key, connection.movedAt() - inFlight.nextAskedAt());
    inFlight.answer();
    answers++;
    var frame = collected;
    if (frame == null) {
      return true;
    }
    collected = null;
    try {
      answer(connection.rewrite(key, version, frame));
      return true;
    } catch (MalformedFrameException e) {
      connection.end(DisconnectCause.BAD_RESPONSE, e.getMessage());
      return false;
    } finally {
      frame.release();
    }
  }

  private void forward(ByteBuf chunk, int from, int to) {
    if (to > from) {
      answer(chunk.retainedSlice(from, to - from));
    }
  }

  private void answer(ByteBuf bytes) {
    int ended = answers;
    answers = 0;
    generation.meters().answeredBytes(bytes.readableBytes());
    connection.answer(bytes, ended);
  }

  private void refuse(ByteBuf in, int at) {
    var inFlight = connection.inFlight();
    int frameBytes = in.getInt(at);
    String why;
    if (!FrameCheck.responseLength(frameBytes, maxFrameSize)) {
      why = FrameCheck.unlikeResponse(in, at, in.writerIndex(), maxFrameSize);
    } else if (!inFlight.awaitsAnswer()) {
      why = "expected no response, found one of " + frameBytes + " bytes: nothing was asked";
    } else {
      why =
          "expected a response to "
              + Apis.name(inFlight.nextApiKey())
              + " with correlation id "
              + inFlight.nextCorrelationId()
              + ", found "
              + in.getInt(at + FrameCheck.LENGTH_BYTES)
              + "; check that the upstream is a Kafka broker's listener";
    }
    connection.end(DisconnectCause.BAD_RESPONSE, why);
  }

  private static void release(@Nullable ByteBuf bytes) {
    if (bytes != null) {
      bytes.release();
    }
  }
}
