package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A response taken apart, for who has to look into it.
 *
 * @param header as it was sent
 * @param body of the API and version that was asked; records in it are views of the bytes it was
 *     read from
 */
public record DecodedResponse(ResponseHeaderData header, ApiMessage body) {

  /**
   * Reads the response to a request of a known API and version.
   *
   * @param frame whole, its length first; neither changed nor released
   * @throws MalformedFrameException if it does not parse to its last byte
   */
  public static DecodedResponse of(short key, short version, ByteBuf frame)
      throws MalformedFrameException {
    var body = ApiMessageType.fromApiKey(key).newResponse();
    var headerVersion = Apis.responseHeaderVersion(key, version);
    var header = Messages.read(Messages.content(frame), headerVersion, body, version);
    return new DecodedResponse(header, body);
  }

  /**
   * A response to a request of this API.
   *
   * @throws MalformedFrameException if the body is no response of that API
   */
  public static DecodedResponse to(short key, int correlationId, ApiMessage body)
      throws MalformedFrameException {
    var header = new ResponseHeaderData().setCorrelationId(correlationId);
    var none = ApiMessageType.fromApiKey(key).newResponse();
    return new DecodedResponse(header, none).with(body);
  }

  /**
   * The same header with another body.
   *
   * @throws MalformedFrameException if it is no response of the same API
   */
  public DecodedResponse with(ApiMessage other) throws MalformedFrameException {
    if (other.getClass() != body.getClass()) {
      throw new MalformedFrameException(
          body.apiKey(), body.highestSupportedVersion(), other.getClass().getSimpleName());
    }
    return new DecodedResponse(header, other);
  }

  /**
   * Writes it as the response to a request of this API and version.
   *
   * @return a new frame, its length first; the caller owns it
   * @throws MalformedFrameException if the body cannot be written in that version
   */
  public ByteBuf framed(short key, short version, ByteBufAllocator allocator)
      throws MalformedFrameException {
    return Messages.reframed(
        header, Apis.responseHeaderVersion(key, version), body, version, allocator);
  }
}
