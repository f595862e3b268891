package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * The answer that every consumer takes quietly: there is nothing new. No error, no topics.
 *
 * <p>In a fetch session (KIP-227) an empty answer says that nothing changed, provided that it names
 * the session. No state; any thread may call.
 */
public final class EmptyFetch {

  private static final short FIRST_WITH_SESSIONS = 7;

  private EmptyFetch() {}

  /**
   * Answers a Fetch request.
   *
   * @param version of the request, a known one
   * @param correlationId of the request
   * @param throttleMillis how long the client is to pause, in milliseconds; heeded from version 8
   *     on
   * @param sessionId of the request, so that the session goes on; 0 for a full fetch: no session.
   *     Versions before 7 have no place for it.
   * @return a new frame, its length first; the caller owns it
   */
  public static ByteBuf answer(
      short version,
      int correlationId,
      int throttleMillis,
      int sessionId,
      ByteBufAllocator allocator) {
    var body = new FetchResponseData().setThrottleTimeMs(throttleMillis);
    if (version >= FIRST_WITH_SESSIONS) {
      body.setSessionId(sessionId);
    }
    return framed(ApiKeys.FETCH, version, correlationId, body, allocator);
  }

  /**
   * Answers a ShareFetch request that acknowledges nothing; see {@link FetchPeek#mayAcknowledge}.
   *
   * @param version of the request, a known one
   * @param correlationId of the request
   * @param throttleMillis how long the client is to pause, in milliseconds; few clients heed it
   * @return a new frame, its length first; the caller owns it
   */
  public static ByteBuf shareAnswer(
      short version, int correlationId, int throttleMillis, ByteBufAllocator allocator) {
    var body = new ShareFetchResponseData().setThrottleTimeMs(throttleMillis);
    return framed(ApiKeys.SHARE_FETCH, version, correlationId, body, allocator);
  }

  private static ByteBuf framed(
      ApiKeys key, short version, int correlationId, ApiMessage body, ByteBufAllocator allocator) {
    var header = new ResponseHeaderData().setCorrelationId(correlationId);
    var headerVersion = Apis.responseHeaderVersion(key.id, version);
    return Messages.framed(header, headerVersion, body, version, allocator);
  }
}
