package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Tells Kafka frames from nonsense, and says in one sentence what nonsense looked like and what to
 * do about it. A sentence repeats at most the first four bytes, in hexadecimal.
 *
 * <p>The checks allocate nothing; the sentences are for the one time that a connection is closed.
 * Any thread may call.
 */
public final class FrameCheck {

  /** Bytes of the length that goes before every frame. */
  public static final int LENGTH_BYTES = 4;

  /** API key, version and correlation id: what every request begins with, in bytes. */
  public static final int SHORTEST_REQUEST = 8;

  /** The correlation id: what every response begins with, in bytes. */
  public static final int SHORTEST_RESPONSE = 4;

  private static final String[] HTTP_VERBS = {
    "GET ",
    "POST ",
    "PUT ",
    "HEAD ",
    "DELETE ",
    "OPTIONS ",
    "PATCH ",
    "CONNECT ",
    "TRACE ",
    "PRI * "
  };

  /** The shortest prefix that is taken for one of the texts above. */
  private static final int TELLING_BYTES = 4;

  private static final byte[] PROXY_V2 = {0x0d, 0x0a, 0x0d, 0x0a};

  private FrameCheck() {}

  /** Whether a request frame can have this length. */
  public static boolean requestLength(int length, int maxFrameBytes) {
    return length >= SHORTEST_REQUEST && length <= maxFrameBytes;
  }

  /** Whether a response frame can have this length. */
  public static boolean responseLength(int length, int maxFrameBytes) {
    return length >= SHORTEST_RESPONSE && length <= maxFrameBytes;
  }

  /** Whether the bytes of a client are a request that is longer than the bound, and no nonsense. */
  public static boolean isRequestOverBound(ByteBuf in, int index, int end, int maxFrameBytes) {
    return end - index >= LENGTH_BYTES
        && in.getInt(index) > maxFrameBytes
        && clientLookalike(in, index, end) == null;
  }

  /** Whether the bytes of a broker are a response that is longer than the bound. */
  public static boolean isResponseOverBound(ByteBuf in, int index, int end, int maxFrameBytes) {
    return end - index >= LENGTH_BYTES
        && in.getInt(index) > maxFrameBytes
        && brokerLookalike(in, index, end) == null;
  }

  /**
   * Why the bytes of a client are not a request that can be served.
   *
   * @param index where the frame's length begins
   * @param end behind the last byte that has arrived
   * @param maxFrameBytes the bound on a frame, without its length
   */
  public static String unlikeRequest(ByteBuf in, int index, int end, int maxFrameBytes) {
    var expected = "expected a Kafka request, found ";
    var lookalike = clientLookalike(in, index, end);
    if (lookalike != null) {
      return expected + lookalike;
    }
    var wrongLength = wrongLength(in, index, end, SHORTEST_REQUEST, maxFrameBytes);
    if (wrongLength != null) {
      return expected + wrongLength + "; check what connects to this port";
    }
    if (end - index < LENGTH_BYTES + 4) {
      return expected + "the end of the connection within a request header";
    }
    return expected + unknownApi(in.getShort(index + 4), in.getShort(index + 6));
  }

  /**
   * Why the bytes of a broker are not a response.
   *
   * @param index where the frame's length begins
   * @param end behind the last byte that has arrived
   * @param maxFrameBytes the bound on a frame, without its length
   */
  public static String unlikeResponse(ByteBuf in, int index, int end, int maxFrameBytes) {
    var expected = "expected a Kafka response, found ";
    var lookalike = brokerLookalike(in, index, end);
    if (lookalike != null) {
      return expected + lookalike;
    }
    var wrongLength = wrongLength(in, index, end, SHORTEST_RESPONSE, maxFrameBytes);
    return expected
        + (wrongLength == null ? "something that cannot be parsed" : wrongLength)
        + "; check that the upstream is a Kafka broker's listener";
  }

  private static @Nullable String clientLookalike(ByteBuf in, int index, int end) {
    if (startsLikeTls(in, index, end, 0x16)) {
      return "a TLS handshake: the client speaks TLS, this gateway is plain;"
          + " set security.protocol=PLAINTEXT (or SASL_PLAINTEXT) in the client";
    }
    for (var verb : HTTP_VERBS) {
      if (startsWith(in, index, end, verb)) {
        return "an HTTP request: this port speaks Kafka;"
            + " check the address of the HTTP client, probe or scraper";
      }
    }
    if (startsWith(in, index, end, "SSH-")) {
      return "an SSH banner: this port speaks Kafka; check the address of the SSH client";
    }
    if (startsWith(in, index, end, "PROXY ")) {
      return "a PROXY protocol header (version 1): a load balancer sends it;"
          + " turn the PROXY protocol off at the load balancer";
    }
    if (startsWith(in, index, end, PROXY_V2)) {
      return "a PROXY protocol header (version 2): a load balancer sends it;"
          + " turn the PROXY protocol off at the load balancer";
    }
    return null;
  }

  private static @Nullable String brokerLookalike(ByteBuf in, int index, int end) {
    if (startsLikeTls(in, index, end, 0x15)) {
      return "a TLS alert: the broker's listener expects TLS, and is spoken to in plain;"
          + " name a plain listener";
    }
    if (startsLikeTls(in, index, end, 0x16)) {
      return "a TLS handshake: the upstream is no Kafka broker; check its address";
    }
    if (startsWith(in, index, end, "HTTP/")) {
      return "an HTTP response: the upstream is a web server; check its host and port";
    }
    if (startsWith(in, index, end, "SSH-")) {
      return "an SSH banner: the upstream is an SSH server; check its host and port";
    }
    return null;
  }

  private static @Nullable String wrongLength(
      ByteBuf in, int index, int end, int shortest, int maxFrameBytes) {
    if (end - index < LENGTH_BYTES) {
      return "the end of the connection within a frame's length";
    }
    var length = in.getInt(index);
    if (length < 0) {
      return "a negative frame length (" + hint(length) + ")";
    }
    if (length > maxFrameBytes) {
      return "a frame of "
          + length
          + " bytes ("
          + hint(length)
          + "), more than the bound of "
          + maxFrameBytes
          + " (maxFrameSize)";
    }
    return length < shortest
        ? "a frame of " + length + " bytes, less than the " + shortest + " of a header"
        : null;
  }

  private static String unknownApi(short key, short version) {
    if (!Apis.offered(key)) {
      return "API key "
          + key
          + ", which is not offered to clients; check what connects to this port";
    }
    if (!Apis.known(key, version)) {
      return Apis.name(key)
          + " version "
          + version
          + ", offered are "
          + Apis.oldest(key)
          + " to "
          + Apis.newest(key)
          + "; use a client that asks with ApiVersions first, or another release of it";
    }
    return Apis.name(key) + " version " + version + " with a header that cannot be parsed";
  }

  private static String hint(int firstFourBytes) {
    return "0x%08x".formatted(firstFourBytes);
  }

  private static boolean startsLikeTls(ByteBuf in, int index, int end, int contentType) {
    return end - index >= 3
        && in.getByte(index) == contentType
        && in.getByte(index + 1) == 3
        && in.getByte(index + 2) >= 0
        && in.getByte(index + 2) <= 4;
  }

  private static boolean startsWith(ByteBuf in, int index, int end, String text) {
    return startsWith(in, index, end, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** As far as bytes have arrived: four are telling enough, since the verdict cannot wait. */
  private static boolean startsWith(ByteBuf in, int index, int end, byte[] text) {
    var length = Math.min(text.length, end - index);
    for (var i = 0; i < length; i++) {
      if (in.getByte(index + i) != text[i]) {
        return false;
      }
    }
    return length >= TELLING_BYTES;
  }
}
