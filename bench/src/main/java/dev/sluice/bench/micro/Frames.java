package dev.sluice.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;

/** Frames as Kafka's own classes write them, outside the heap as a socket's bytes are. */
final class Frames {

  /** The length before each frame, in bytes. */
  static final int LENGTH_BYTES = 4;

  private static final int CORRELATION_ID = 7;

  private Frames() {}

  static ByteBuf request(ApiKeys key, short version, String clientId, ApiMessage body) {
    RequestHeaderData header =
        new RequestHeaderData()
            .setRequestApiKey(key.id)
            .setRequestApiVersion(version)
            .setCorrelationId(CORRELATION_ID)
            .setClientId(clientId);
    return framed(written(header, key.requestHeaderVersion(version)), written(body, version));
  }

  static ByteBuf response(ApiKeys key, short version, ApiMessage body) {
    ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(CORRELATION_ID);
    return framed(written(header, key.responseHeaderVersion(version)), written(body, version));
  }

  private static ByteBuffer written(ApiMessage message, short version) {
    return MessageUtil.toByteBufferAccessor(message, version).buffer();
  }

  private static ByteBuf framed(ByteBuffer header, ByteBuffer body) {
    int bytes = header.remaining() + body.remaining();
    return Unpooled.directBuffer(LENGTH_BYTES + bytes)
        .writeInt(bytes)
        .writeBytes(header)
        .writeBytes(body);
  }
}
