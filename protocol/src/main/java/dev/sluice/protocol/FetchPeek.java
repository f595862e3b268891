package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Reads from a Fetch or ShareFetch request what matters when the broker does not answer it for
 * long: how long it may wait, in which session, and what would be lost without the broker.
 *
 * <p>In place, like {@link RequestPeek}: nothing is copied, nothing allocated, no index moved. One
 * per connection, reused; what it tells holds until the next {@link #peek}. Not for use by several
 * threads at once.
 */
public final class FetchPeek {

  /** The session epoch of a Fetch request that is in no session and wants none (KIP-227). */
  public static final int NO_SESSION_EPOCH = -1;

  private static final int KEY_INDEX = FrameCheck.LENGTH_BYTES;
  private static final int VERSION_INDEX = KEY_INDEX + Short.BYTES;
  private static final int HEAD_BYTES = FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_REQUEST;
  private static final int UUID_BYTES = 2 * Long.BYTES;

  private final Cursor cursor = new Cursor();

  private int bytesNeeded;
  private int maxWaitMillis;
  private int sessionId;
  private int sessionEpoch;
  private boolean namesTopics;
  private boolean mayAcknowledge;

  /**
   * Looks at a request that {@link RequestPeek} has peeked, and whose length begins at {@code
   * index}.
   *
   * @param end behind the last byte that has arrived
   * @return MORE until {@link #bytesNeeded()} have arrived: never more than the fields before the
   *     topics; MALFORMED if those do not parse
   */
  public RequestPeek.Outcome peek(ByteBuf in, int index, int end) {
    var key = in.getShort(index + KEY_INDEX);
    var version = in.getShort(index + VERSION_INDEX);
    var share = key == ApiKeys.SHARE_FETCH.id;
    if (!share && key != ApiKeys.FETCH.id) {
      throw new IllegalArgumentException(
          "expected a Fetch or ShareFetch request, found " + Apis.name(key));
    }
    var frameEnd = index + FrameCheck.LENGTH_BYTES + in.getInt(index);
    cursor.begin(in, index + HEAD_BYTES, Math.min(end, frameEnd));
    cursor.skipString();
    if (Apis.requestHeaderVersion(key, version) >= 2) {
      cursor.skipTags();
    }
    if (share) {
      shareFetch(version);
    } else {
      fetch(version);
    }
    cursor.finish();
    if (cursor.malformed || (cursor.starved && (cursor.at > frameEnd || end >= frameEnd))) {
      return RequestPeek.Outcome.MALFORMED;
    }
    bytesNeeded = cursor.at - index;
    return cursor.starved ? RequestPeek.Outcome.MORE : RequestPeek.Outcome.PEEKED;
  }

  private void fetch(short version) {
    if (version <= 14) {
      cursor.skip(Integer.BYTES); // replica id
    }
    maxWaitMillis = cursor.readInt();
    cursor.skip(2 * Integer.BYTES + Byte.BYTES); // min and max bytes, isolation level
    sessionId = version >= 7 ? cursor.readInt() : 0;
    sessionEpoch = version >= 7 ? cursor.readInt() : NO_SESSION_EPOCH;
    namesTopics = version >= 12 ? cursor.readUnsignedVarint() > 1 : cursor.readInt() > 0;
    mayAcknowledge = false;
  }

  private void shareFetch(short version) {
    cursor.skipCompactString(); // group
    cursor.skipCompactString(); // member
    sessionId = 0;
    sessionEpoch = cursor.readInt();
    maxWaitMillis = cursor.readInt();
    cursor.skip(4 * Integer.BYTES); // min and max bytes, max records, batch size
    cursor.skip(version >= 2 ? 2 * Byte.BYTES : 0); // acquire mode, whether there are renewals
    var topics = cursor.readUnsignedVarint() - 1;
    namesTopics = topics > 0;
    mayAcknowledge = true;
    if (cursor.going()) {
      mayAcknowledge = acknowledgedIn(topics) || !cursor.going();
      cursor.starved = false;
      cursor.malformed = false;
    }
  }

  private boolean acknowledgedIn(int topics) {
    cursor.malformed |= topics < 0;
    for (var t = 0; t < topics && cursor.going(); t++) {
      cursor.skip(UUID_BYTES);
      var partitions = cursor.readUnsignedVarint() - 1;
      cursor.malformed |= partitions < 0;
      for (var p = 0; p < partitions && cursor.going(); p++) {
        cursor.skip(Integer.BYTES);
        if (cursor.readUnsignedVarint() > 1) {
          return true;
        }
        cursor.skipTags();
      }
      cursor.skipTags();
    }
    return false;
  }

  /**
   * After MORE: how many bytes from the length on are needed at least before it is worth asking.
   */
  public int bytesNeeded() {
    return bytesNeeded;
  }

  /** How long the broker may wait for records, in milliseconds, as the client put it. */
  public int maxWaitMillis() {
    return maxWaitMillis;
  }

  /** The fetch session; 0 for a full fetch, and for ShareFetch, whose sessions have no id. */
  public int sessionId() {
    return sessionId;
  }

  /** The epoch within the session: 0 to open one, -1 for none or the last. */
  public int sessionEpoch() {
    return sessionEpoch;
  }

  /** Whether it names topics: in a session, only those that are new or changed are named. */
  public boolean namesTopics() {
    return namesTopics;
  }

  /**
   * Whether a ShareFetch request acknowledges records, or may, because not all of it is there yet.
   * False for Fetch.
   */
  public boolean mayAcknowledge() {
    return mayAcknowledge;
  }
}
