package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * What may be said through the proxy: what the broker and the proxy both know.
 *
 * <p>The response header is version 0 whatever the version of the body, and a broker that does not
 * know the version of the request answers in version 0 with UNSUPPORTED_VERSION, so that a client
 * of any age can read it (KIP-511). No state; any thread may call.
 */
public final class ApiVersions {

  /** The API whose responses this narrows. */
  public static final short API_KEY = ApiKeys.API_VERSIONS.id;

  private static final short HEADER = 0;
  private static final short FALLBACK = 0;
  private static final int ERROR_CODE_INDEX = FrameCheck.SHORTEST_RESPONSE;

  private ApiVersions() {}

  /**
   * Narrows a broker's answer: APIs unknown here are hidden, ranges cut to the versions known here.
   * Features, throttle time and error stay; so does REBOOTSTRAP_REQUIRED (KIP-1242): node ids and
   * the cluster id are the broker's own on both sides, hence its verdict on them holds.
   *
   * @param version the version of the request, a known one
   * @param body the response without its length; neither changed nor released
   * @return a new frame, its length first; the caller owns it
   * @throws MalformedFrameException if the response cannot be read
   */
  public static ByteBuf narrowed(short version, ByteBuf body, ByteBufAllocator allocator)
      throws MalformedFrameException {
    var spoken = isRefusal(body) ? FALLBACK : version;
    var answer = new ApiVersionsResponseData();
    var header = Messages.read(body, HEADER, answer, spoken);
    answer.apiKeys().removeIf(range -> !cut(range));
    return Messages.reframed(header, HEADER, answer, spoken, allocator);
  }

  /**
   * The proxy's own answer to an ApiVersions request of a version that it does not know: the error
   * and the range that it does know, in version 0.
   *
   * @param correlationId of the request
   * @return a new frame, its length first; the caller owns it
   */
  public static ByteBuf unsupported(int correlationId, ByteBufAllocator allocator) {
    var own =
        new ApiVersion()
            .setApiKey(ApiKeys.API_VERSIONS.id)
            .setMinVersion(Apis.oldest(ApiKeys.API_VERSIONS.id))
            .setMaxVersion(Apis.newest(ApiKeys.API_VERSIONS.id));
    var answer = new ApiVersionsResponseData().setErrorCode(Errors.UNSUPPORTED_VERSION.code());
    answer.apiKeys().add(own);
    var header = new ResponseHeaderData().setCorrelationId(correlationId);
    return Messages.framed(header, HEADER, answer, FALLBACK, allocator);
  }

  /**
   * Whether a response is in version 0 whatever was asked, since that was not known.
   *
   * @param frame whole, its length first
   */
  public static boolean isFallback(ByteBuf frame) {
    return isRefusal(Messages.content(frame));
  }

  /** The error code lies in the same place in every version. */
  private static boolean isRefusal(ByteBuf body) {
    return body.readableBytes() >= ERROR_CODE_INDEX + Short.BYTES
        && body.getShort(body.readerIndex() + ERROR_CODE_INDEX)
            == Errors.UNSUPPORTED_VERSION.code();
  }

  /** Whether there is a version that both know; cuts the range to those. */
  private static boolean cut(ApiVersion range) {
    var oldest = max(range.minVersion(), Apis.oldestAnnounced(range.apiKey()));
    var newest = min(range.maxVersion(), Apis.newest(range.apiKey()));
    range.setMinVersion(oldest).setMaxVersion(newest);
    return Apis.offered(range.apiKey()) && oldest <= newest;
  }

  private static short max(short a, short b) {
    return a > b ? a : b;
  }

  private static short min(short a, short b) {
    return a < b ? a : b;
  }
}
