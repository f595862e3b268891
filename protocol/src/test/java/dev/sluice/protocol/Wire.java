package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.Schema;
import org.jspecify.annotations.Nullable;

/** Frames as Kafka's own classes write and read them. */
final class Wire {

  static final int CORRELATION_ID = 0x01020304;

  private Wire() {}

  /** A request, with its length before it. */
  static ByteBuf request(ApiKeys key, short version, RequestHeaderData header, ApiMessage body) {
    header.setRequestApiKey(key.id).setRequestApiVersion(version).setCorrelationId(CORRELATION_ID);
    return framed(
        MessageUtil.toByteBufferAccessor(header, key.requestHeaderVersion(version)).buffer(),
        MessageUtil.toByteBufferAccessor(body, version).buffer());
  }

  static ByteBuf request(ApiKeys key, short version, @Nullable String clientId, ApiMessage body) {
    return request(key, version, new RequestHeaderData().setClientId(clientId), body);
  }

  /** A response, with its length before it. */
  static ByteBuf response(ApiKeys key, short version, ApiMessage body) {
    var header = new ResponseHeaderData().setCorrelationId(CORRELATION_ID);
    return framed(
        MessageUtil.toByteBufferAccessor(header, key.responseHeaderVersion(version)).buffer(),
        MessageUtil.toByteBufferAccessor(body, version).buffer());
  }

  /** A response without its length, as {@link Addresses} takes it. */
  static ByteBuf responseBody(ApiKeys key, short version, ApiMessage body) {
    return response(key, version, body).skipBytes(FrameCheck.LENGTH_BYTES);
  }

  /** Reads what {@link #response} wrote; fails unless every byte is used. */
  static ApiMessage parse(ApiKeys key, short version, ByteBuf frame) {
    return parse(key, version, key.responseHeaderVersion(version), frame);
  }

  static ApiMessage parse(ApiKeys key, short version, short headerVersion, ByteBuf frame) {
    var length = frame.getInt(frame.readerIndex());
    var accessor = new ByteBufferAccessor(frame.nioBuffer());
    accessor.readInt();
    if (length != accessor.remaining()) {
      throw new AssertionError("length " + length + " before " + accessor.remaining() + " bytes");
    }
    var header = new ResponseHeaderData(accessor, headerVersion);
    if (header.correlationId() != CORRELATION_ID) {
      throw new AssertionError("correlation id " + header.correlationId());
    }
    var body = ApiMessageType.fromApiKey(key.id).newResponse();
    body.read(accessor, version);
    if (accessor.remaining() != 0) {
      throw new AssertionError(accessor.remaining() + " bytes behind the message");
    }
    return body;
  }

  static Schema responseSchema(ApiKeys key, short version) {
    return key.messageType.responseSchemas()[version];
  }

  private static ByteBuf framed(ByteBuffer header, ByteBuffer body) {
    return Unpooled.buffer()
        .writeInt(header.remaining() + body.remaining())
        .writeBytes(header)
        .writeBytes(body);
  }
}
