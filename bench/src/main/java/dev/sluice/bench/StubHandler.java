package dev.sluice.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Reads the head of each request, forgets the rest and answers with what was made once. A Heartbeat
 * is answered after {@link #LATE_MILLIS}.
 */
final class StubHandler extends ChannelInboundHandlerAdapter {

  static final int LATE_MILLIS = 2_000;

  /** Length, API key, version, correlation id. */
  private static final int HEAD_BYTES = 12;

  private static final int KEY_AT = 4;
  private static final int VERSION_AT = 6;
  private static final int CORRELATION_AT = 8;

  private record Asked(short key, short version) {}

  private final int port;
  private final Map<Asked, ByteBuf> answers = new HashMap<>();
  private final ByteBuf head = Unpooled.buffer(HEAD_BYTES, HEAD_BYTES);

  /** Bytes of the current request that are still to come. */
  private long left;

  StubHandler(int port) {
    this.port = port;
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    var chunk = (ByteBuf) message;
    while (chunk.isReadable()) {
      if (left > 0) {
        int skipped = (int) Math.min(left, chunk.readableBytes());
        chunk.skipBytes(skipped);
        left -= skipped;
        if (left == 0) {
          ended(channel);
        }
      } else {
        head.writeBytes(chunk, Math.min(head.writableBytes(), chunk.readableBytes()));
        if (!head.isWritable()) {
          left = (long) head.getInt(0) + StubFrames.LENGTH_BYTES - HEAD_BYTES;
        }
      }
    }
    chunk.release();
  }

  private void ended(ChannelHandlerContext channel) {
    var asked = new Asked(head.getShort(KEY_AT), head.getShort(VERSION_AT));
    var answer =
        answers
            .computeIfAbsent(
                asked,
                _ ->
                    Unpooled.wrappedBuffer(
                        StubFrames.answer(ApiKeys.forId(asked.key()), asked.version(), port)))
            .copy()
            .setInt(StubFrames.LENGTH_BYTES, head.getInt(CORRELATION_AT));
    head.clear();
    if (asked.key() == ApiKeys.HEARTBEAT.id) {
      channel
          .executor()
          .schedule(() -> channel.writeAndFlush(answer), LATE_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      channel.write(answer);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    channel.flush();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
    channel.close();
  }
}
