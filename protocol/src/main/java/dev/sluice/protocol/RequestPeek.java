package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Reads the head of a request where it lies: nothing is copied, nothing allocated, no index moved.
 *
 * <p>One per connection, reused for each request; what it tells holds until the next {@link #peek}.
 * Not for use by several threads at once. Header layout: KIP-482 and the message specifications of
 * Kafka.
 */
public final class RequestPeek {

  /** What a look at the head came to. */
  public enum Outcome {
    /** The head is not complete: wait for {@link RequestPeek#bytesNeeded()}. */
    MORE,
    /** Read. All but ApiVersions is of a known version; see {@link Apis#known}. */
    PEEKED,
    /** Cannot be served; {@link FrameCheck#unlikeRequest} says why. Close the connection. */
    MALFORMED
  }

  /** Bound on a client id and on a transactional id, in bytes (the former is an int16 anyway). */
  public static final int MAX_ID_BYTES = 32 * 1024;

  /** Bound on the tagged fields of a request header, in bytes: Kafka defines none so far. */
  public static final int MAX_HEADER_TAG_BYTES = 32 * 1024;

  private static final int HEAD_BYTES = FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_REQUEST;

  private final int maxFrameBytes;
  private final Cursor cursor = new Cursor();

  private int bytesNeeded;
  private int frameBytes;
  private short apiKey;
  private short apiVersion;
  private int correlationId;
  private short acks;
  private boolean transactional;

  /**
   * @param maxFrameBytes bound on a frame, without its length, in bytes
   */
  public RequestPeek(int maxFrameBytes) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * Looks at the request whose length begins at {@code index}.
   *
   * @param end behind the last byte that has arrived
   */
  public Outcome peek(ByteBuf in, int index, int end) {
    var there = end - index;
    if (there < FrameCheck.LENGTH_BYTES) {
      return more(HEAD_BYTES);
    }
    frameBytes = in.getInt(index);
    if (!FrameCheck.requestLength(frameBytes, maxFrameBytes)) {
      return Outcome.MALFORMED;
    }
    if (there < HEAD_BYTES) {
      return more(HEAD_BYTES);
    }
    apiKey = in.getShort(index + 4);
    apiVersion = in.getShort(index + 6);
    correlationId = in.getInt(index + 8);
    acks = 0;
    transactional = false;
    if (apiKey == ApiKeys.API_VERSIONS.id) {
      return apiVersion < 0 ? Outcome.MALFORMED : Outcome.PEEKED;
    }
    if (!Apis.known(apiKey, apiVersion)) {
      return Outcome.MALFORMED;
    }
    return apiKey == ApiKeys.PRODUCE.id ? peekAcks(in, index, end) : Outcome.PEEKED;
  }

  private Outcome peekAcks(ByteBuf in, int index, int end) {
    var frameEnd = index + FrameCheck.LENGTH_BYTES + frameBytes;
    cursor.begin(in, index + HEAD_BYTES, Math.min(end, frameEnd));
    cursor.skipString();
    if (Apis.requestHeaderVersion(apiKey, apiVersion) >= 2) {
      cursor.skipTags();
      transactional = cursor.skipCompactString();
    } else {
      transactional = cursor.skipString();
    }
    acks = cursor.readShort();
    cursor.finish();
    if (cursor.malformed) {
      return Outcome.MALFORMED;
    }
    if (!cursor.starved) {
      return Outcome.PEEKED;
    }
    return cursor.at > frameEnd || end >= frameEnd ? Outcome.MALFORMED : more(cursor.at - index);
  }

  private Outcome more(int needed) {
    bytesNeeded = needed;
    return Outcome.MORE;
  }

  /**
   * After MORE: how many bytes from the length on are needed at least before it is worth asking.
   */
  public int bytesNeeded() {
    return bytesNeeded;
  }

  /** The request without its length, in bytes: 8 to the bound. */
  public int frameBytes() {
    return frameBytes;
  }

  /** Which API. */
  public short apiKey() {
    return apiKey;
  }

  /** Its version: known, except that an ApiVersions request may be of any. */
  public short apiVersion() {
    return apiVersion;
  }

  /** The client's number for this request. */
  public int correlationId() {
    return correlationId;
  }

  /** Whether the broker will answer: false for a Produce request with acks=0 only. */
  public boolean answered() {
    return apiKey != ApiKeys.PRODUCE.id || acks != 0;
  }

  /** Whether it is a Produce request with a transactional id. */
  public boolean transactional() {
    return transactional;
  }

  /** The acks of a Produce request: 0, 1, -1, or nonsense that the broker will refuse. */
  public short acks() {
    return acks;
  }
}
