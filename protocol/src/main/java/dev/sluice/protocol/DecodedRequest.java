package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A request taken apart, for who has to look into it.
 *
 * @param header as it was sent
 * @param body of the header's API and version; records in it are views of the bytes it was read
 *     from
 */
public record DecodedRequest(RequestHeaderData header, ApiMessage body) {

  /**
   * Reads a request of a known API and version.
   *
   * @param frame whole, its length first; neither changed nor released
   * @throws MalformedFrameException if it does not parse to its last byte
   */
  public static DecodedRequest of(ByteBuf frame) throws MalformedFrameException {
    var content = Messages.content(frame);
    short key = content.getShort(content.readerIndex());
    short version = content.getShort(content.readerIndex() + Short.BYTES);
    var header = new RequestHeaderData();
    var body = ApiMessageType.fromApiKey(key).newRequest();
    int left;
    try {
      left = Messages.read(content, header, Apis.requestHeaderVersion(key, version), body, version);
    } catch (RuntimeException e) {
      throw MalformedFrameException.request(
          key, version, content.readableBytes() + " bytes that do not parse", e);
    }
    if (left > 0) {
      throw MalformedFrameException.request(key, version, left + " bytes behind its end", null);
    }
    return new DecodedRequest(header, body);
  }

  /**
   * The same header with another body.
   *
   * @throws MalformedFrameException if it is no request of the same API
   */
  public DecodedRequest with(ApiMessage other) throws MalformedFrameException {
    if (other.getClass() != body.getClass()) {
      throw MalformedFrameException.request(
          header.requestApiKey(),
          header.requestApiVersion(),
          other.getClass().getSimpleName(),
          null);
    }
    return new DecodedRequest(header, other);
  }

  /**
   * Writes it.
   *
   * @return a new frame, its length first; the caller owns it
   * @throws MalformedFrameException if the body cannot be written in the header's version
   */
  public ByteBuf framed(ByteBufAllocator allocator) throws MalformedFrameException {
    short key = header.requestApiKey();
    short version = header.requestApiVersion();
    try {
      return Messages.framed(
          header, Apis.requestHeaderVersion(key, version), body, version, allocator);
    } catch (RuntimeException e) {
      throw MalformedFrameException.request(key, version, "what cannot be written", e);
    }
  }
}
