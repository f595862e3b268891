package dev.sluice.proxy;

/**
 * What one client has asked and not yet been answered, first in, first out. It is the only source
 * for in-flight counts, response matching, latency and drains. Belongs to one event loop.
 *
 * <p>An entry passes three points: it is <i>asked</i> (read from the client), <i>answered</i> (its
 * response has been handed to the client's channel) and <i>written</i> (the last byte of the
 * response has left for the socket). It is in flight until it is written: whoever takes a handed
 * over response for done cuts off slow readers.
 *
 * <p>Entries live in a ring of longs, so that a request costs no allocation.
 */
final class InFlight {

  private static final int INITIAL_CAPACITY = 8;

  private long[] requests = new long[INITIAL_CAPACITY];
  private long[] askedAt = new long[INITIAL_CAPACITY];
  private boolean[] ownAnswer = new boolean[INITIAL_CAPACITY];

  /** Positions count up for ever; an entry stands at its position modulo the capacity. */
  private long asked;

  private long answered;
  private long written;

  /**
   * Takes a request in.
   *
   * @param ownAnswer whether the proxy answers it, not the upstream
   * @param at nanoseconds of {@link System#nanoTime}
   */
  void ask(short apiKey, short version, int correlationId, boolean ownAnswer, long at) {
    if (asked - written == requests.length) {
      grow();
    }
    int slot = slot(asked++);
    requests[slot] =
        ((long) (apiKey & 0xFFFF) << 48)
            | ((long) (version & 0xFFFF) << 32)
            | (correlationId & 0xFFFF_FFFFL);
    askedAt[slot] = at;
    this.ownAnswer[slot] = ownAnswer;
  }

  /** Whether some request waits for its answer. */
  boolean awaitsAnswer() {
    return answered < asked;
  }

  /** Whether the request whose turn it is gets its answer from the proxy itself. */
  boolean ownAnswerIsNext() {
    return awaitsAnswer() && ownAnswer[slot(answered)];
  }

  /** The API key of the request whose turn it is. */
  short nextApiKey() {
    return (short) (requests[slot(answered)] >>> 48);
  }

  /** The API version of the request whose turn it is. */
  short nextVersion() {
    return (short) (requests[slot(answered)] >>> 32);
  }

  /** The correlation id of the request whose turn it is. */
  int nextCorrelationId() {
    return (int) requests[slot(answered)];
  }

  /** When the request whose turn it is was read, in nanoseconds of {@link System#nanoTime}. */
  long nextAskedAt() {
    return askedAt[slot(answered)];
  }

  /** The request whose turn it is has its answer in the client's channel. */
  void answer() {
    if (!awaitsAnswer()) {
      throw new IllegalStateException("expected a request in flight, found none");
    }
    answered++;
  }

  /**
   * Where answering stands, to be given to {@link #writtenUpTo} once the channel has written it.
   */
  long answeredPosition() {
    return answered;
  }

  /** Everything answered before this position has been written to the socket. */
  void writtenUpTo(long position) {
    if (position > answered) {
      throw new IllegalStateException(
          "expected a position of at most " + answered + ", found " + position);
    }
    written = Math.max(written, position);
  }

  /** How many requests have been read and whose responses have not left. */
  int size() {
    return (int) (asked - written);
  }

  /** Whether nothing is in flight. */
  boolean isEmpty() {
    return asked == written;
  }

  private int slot(long position) {
    return (int) (position & (requests.length - 1));
  }

  private void grow() {
    int capacity = requests.length * 2;
    var moreRequests = new long[capacity];
    var moreAskedAt = new long[capacity];
    var moreOwnAnswer = new boolean[capacity];
    for (long position = written; position < asked; position++) {
      int from = slot(position);
      int to = (int) (position & (capacity - 1));
      moreRequests[to] = requests[from];
      moreAskedAt[to] = askedAt[from];
      moreOwnAnswer[to] = ownAnswer[from];
    }
    requests = moreRequests;
    askedAt = moreAskedAt;
    ownAnswer = moreOwnAnswer;
  }
}
