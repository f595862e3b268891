package dev.sluice.lifecycle.quiet;

/**
 * A request that gets an answer, as far as going quiet depends on it.
 *
 * @param number in the order of reading on its connection; one-way requests are not numbered
 * @param api its name, for the report
 * @param maxWait how long the broker may sit on it if nothing happens, in nanoseconds; 0 unless a
 *     poll
 * @param whenLate what becomes of it where it is not forwarded as a matter of course
 * @param carriesThrottle whether its response, when it is the proxy's own, can ask for a pause
 */
public record Request(
    long number, String api, Kind kind, long maxWait, WhenLate whenLate, boolean carriesThrottle) {

  /** What it is to a drain. */
  public enum Kind {
    ORDINARY,
    /** Fetch: the broker waits for data; may be answered empty in its place at any time. */
    POLL,
    /** ShareFetch without acknowledgements: may be answered empty only while not forwarded. */
    SHARE_POLL,
    /** Acknowledges records of a share group, or is otherwise about one. */
    SHARING,
    /** JoinGroup, SyncGroup: the broker may wait for minutes, for other members. */
    GROUP_WAIT,
    /** ApiVersions, SaslHandshake, SaslAuthenticate. */
    HANDSHAKE
  }

  /** What becomes of it after the grace. */
  public enum WhenLate {
    /** The proxy answers it in the broker's place, in a way that this client takes quietly. */
    ANSWERED,
    /** It is forwarded all the same: it is short, and no client takes an error for it quietly. */
    FORWARDED,
    /** The connection ends without an answer to it. */
    CLOSED
  }

  boolean isSharing() {
    return kind == Kind.SHARE_POLL || kind == Kind.SHARING;
  }

  boolean isPoll() {
    return kind == Kind.POLL || kind == Kind.SHARE_POLL;
  }
}
