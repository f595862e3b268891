package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * How a client names itself in its first requests: the client id of the header, and the software of
 * ApiVersions (KIP-511). Read where they lie, once per connection; what has not arrived is not
 * there. No state; any thread may call.
 */
public final class ClientHello {

  /** Names are cut to this length, in bytes: they are shown and compared, nothing else. */
  private static final int MAX_NAME_BYTES = 128;

  private static final int CLIENT_ID_INDEX = FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_REQUEST;
  private static final int FIRST_WITH_SOFTWARE = 3;

  private ClientHello() {}

  /**
   * The client id of a request that {@link RequestPeek} has peeked.
   *
   * @param index where the frame's length begins
   * @param end behind the last byte that has arrived
   * @return empty where there is none
   */
  public static String clientId(ByteBuf in, int index, int end) {
    int at = index + CLIENT_ID_INDEX;
    if (end - at < Short.BYTES) {
      return "";
    }
    return text(in, at + Short.BYTES, in.getShort(at), end);
  }

  /**
   * The name of the client's software, as its ApiVersions request gives it.
   *
   * @param index where the frame's length begins
   * @param end behind the last byte that has arrived
   * @return null where the request is another one, is too old, or has not arrived so far
   */
  public static @Nullable String software(ByteBuf in, int index, int end) {
    int head = index + FrameCheck.LENGTH_BYTES;
    if (in.getShort(head) != ApiKeys.API_VERSIONS.id
        || in.getShort(head + Short.BYTES) < FIRST_WITH_SOFTWARE) {
      return null;
    }
    int at = index + CLIENT_ID_INDEX;
    if (end - at < Short.BYTES) {
      return null;
    }
    at += Short.BYTES + Math.max(0, in.getShort(at));
    // The header's tagged fields, of which Kafka defines none, then a compact string: its length
    // plus one in a single byte, as names are short.
    if (end - at < 2 || in.getByte(at) != 0 || in.getByte(at + 1) <= 0) {
      return null;
    }
    return text(in, at + 2, in.getByte(at + 1) - 1, end);
  }

  private static String text(ByteBuf in, int from, int length, int end) {
    int there = Math.clamp(Math.min(length, end - from), 0, MAX_NAME_BYTES);
    return in.toString(from, there, StandardCharsets.UTF_8);
  }
}
