package dev.sluice.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;

/** Frames, their length first, as Kafka's own classes write them; and answers of any content. */
final class Frames {

  private static final short HEARTBEAT_VERSION = 4;
  private static final short PRODUCE_VERSION = 9;
  private static final int CORRELATION_ID_AT = 8;

  private Frames() {}

  static byte[] request(ApiKeys key, int version, int correlationId, ApiMessage body) {
    short api = (short) version;
    var header =
        new RequestHeaderData()
            .setRequestApiKey(key.id)
            .setRequestApiVersion(api)
            .setCorrelationId(correlationId)
            .setClientId("a-client");
    return framed(
        MessageUtil.toByteBufferAccessor(header, key.requestHeaderVersion(api)).buffer(),
        MessageUtil.toByteBufferAccessor(body, api).buffer());
  }

  static byte[] response(ApiKeys key, int version, int correlationId, ApiMessage body) {
    short api = (short) version;
    var header = new ResponseHeaderData().setCorrelationId(correlationId);
    return framed(
        MessageUtil.toByteBufferAccessor(header, key.responseHeaderVersion(api)).buffer(),
        MessageUtil.toByteBufferAccessor(body, api).buffer());
  }

  /** A request whose answer is opaque to the proxy. */
  static byte[] heartbeat(int correlationId) {
    return heartbeat(correlationId, 0);
  }

  static byte[] heartbeat(int correlationId, int padding) {
    return request(
        ApiKeys.HEARTBEAT,
        HEARTBEAT_VERSION,
        correlationId,
        new HeartbeatRequestData().setGroupId("g".repeat(padding)).setMemberId("m"));
  }

  /** A Produce request without content but padding. */
  static byte[] produce(int correlationId, int acks, int padding) {
    return request(
        ApiKeys.PRODUCE,
        PRODUCE_VERSION,
        correlationId,
        new ProduceRequestData().setTransactionalId("t".repeat(padding)).setAcks((short) acks));
  }

  /** An ApiVersions request of a version that does not exist yet. */
  static byte[] futureApiVersions(int correlationId) {
    return ByteBuffer.allocate(4 + 8 + 5)
        .putInt(8 + 5)
        .putShort(ApiKeys.API_VERSIONS.id)
        .putShort((short) 99)
        .putInt(correlationId)
        .put(new byte[5])
        .array();
  }

  /** An answer of so many further bytes, whose content tells their place. */
  static byte[] answer(int correlationId, int bytes) {
    var frame = ByteBuffer.allocate(4 + 4 + bytes).putInt(4 + bytes).putInt(correlationId);
    for (int i = 0; i < bytes; i++) {
      frame.put((byte) (i * 31 + (i >> 8)));
    }
    return frame.array();
  }

  /** The answer of {@link StubBroker#echo}. */
  static byte[] echoed(byte[] request) {
    return ByteBuffer.allocate(8 + request.length)
        .putInt(4 + request.length)
        .putInt(ByteBuffer.wrap(request).getInt(CORRELATION_ID_AT))
        .put(request)
        .array();
  }

  static int correlationIdOfRequest(byte[] request) {
    return ByteBuffer.wrap(request).getInt(CORRELATION_ID_AT);
  }

  static int correlationIdOfResponse(byte[] response) {
    return ByteBuffer.wrap(response).getInt(4);
  }

  /** What follows length and header of a response. */
  static ByteBufferAccessor body(ApiKeys key, int version, byte[] response) {
    var accessor = new ByteBufferAccessor(ByteBuffer.wrap(response));
    accessor.readInt();
    var _ = new ResponseHeaderData(accessor, key.responseHeaderVersion((short) version));
    return accessor;
  }

  static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static byte[] framed(ByteBuffer header, ByteBuffer body) {
    int bytes = header.remaining() + body.remaining();
    return ByteBuffer.allocate(4 + bytes).putInt(bytes).put(header).put(body).array();
  }
}
