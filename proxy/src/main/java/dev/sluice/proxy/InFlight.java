package dev.sluice.proxy;

/**
 * What one client has asked and not yet been answered, first in, first out. It is the only source
 * for in-flight counts, response matching, latency and drains. Belongs to one event loop.
 *
 * <p>An entry passes three points: it is <i>asked</i> (read from the client), <i>answered</i> (its
 * response has been handed to the client's channel) and <i>written</i> (the last byte of the
 * response has left for the socket). It is in flight until it is written: whoever takes a handed
 * over response for done cuts off slow readers. Apart from that it is <i>due</i> until the header
 * of the broker's response has come: an entry may be answered in the broker's place before.
 *
 * <p>Entries live in a ring of longs, so that a request costs no allocation.
 */
public final class InFlight {

  /** What a connection that is idle most of the time has; it grows for who asks more at once. */
  private static final int INITIAL_CAPACITY = 2;

  /** A wait of -1. */
  private static final long NO_POLL = -1L << 32;

  private long[] requests = new long[INITIAL_CAPACITY];
  private long[] askedAt = new long[INITIAL_CAPACITY];
  private long[] polls = new long[INITIAL_CAPACITY];
  private boolean[] ownAnswer = new boolean[INITIAL_CAPACITY];

  /** Positions count up for ever; an entry stands at its position modulo the capacity. */
  private long asked;

  private long answered;
  private long written;

  /**
   * The first position whose response from the broker has not come; own answers are passed over.
   */
  private long due;

  /** Nothing in flight. */
  public InFlight() {}

  /**
   * Takes a request in.
   *
   * @param ownAnswer whether the proxy answers it, not the upstream
   * @param at nanoseconds of {@link System#nanoTime}
   */
  public void ask(short apiKey, short version, int correlationId, boolean ownAnswer, long at) {
    if (asked - first() == requests.length
        && (!awaitsResponse() || asked - first() == requests.length)) {
      grow();
    }
    int slot = slot(asked++);
    requests[slot] =
        ((long) (apiKey & 0xFFFF) << 48)
            | ((long) (version & 0xFFFF) << 32)
            | (correlationId & 0xFFFF_FFFFL);
    askedAt[slot] = at;
    polls[slot] = NO_POLL;
    this.ownAnswer[slot] = ownAnswer;
  }

  /** The request that was asked last is a poll: the broker may sit on it. */
  public void notePoll(int maxWaitMillis, int sessionId) {
    polls[slot(asked - 1)] = ((long) maxWaitMillis << 32) | (sessionId & 0xFFFF_FFFFL);
  }

  /** A request whose answer was to be the broker's gets it from a filter: it was not forwarded. */
  public void answerHere(long position) {
    ownAnswer[slot(position)] = true;
  }

  /** The position that the next request will have. */
  public long nextPosition() {
    return asked;
  }

  /** Whether a response of the broker is due. */
  public boolean awaitsResponse() {
    while (due < asked && ownAnswer[slot(due)]) {
      due++;
    }
    return due < asked;
  }

  /** The position of the request whose response of the broker comes next. */
  public long duePosition() {
    return due;
  }

  /** The header of the response that was due has come. */
  public void receive() {
    due++;
  }

  /** Who would respond has been left: nothing is in flight, and nothing is due any more. */
  public void leaveDue() {
    if (!isEmpty()) {
      throw new IllegalStateException("expected nothing in flight, found " + size());
    }
    due = asked;
  }

  /** Whether the client has its answer already, so that the broker's is of no use. */
  public boolean isAnswered(long position) {
    return position < answered;
  }

  public short apiKey(long position) {
    return (short) (requests[slot(position)] >>> 48);
  }

  public short version(long position) {
    return (short) (requests[slot(position)] >>> 32);
  }

  public int correlationId(long position) {
    return (int) requests[slot(position)];
  }

  public long askedAt(long position) {
    return askedAt[slot(position)];
  }

  /** How long the broker may sit on it, in milliseconds; negative if it is no poll. */
  public int maxWaitMillis(long position) {
    return (int) (polls[slot(position)] >> 32);
  }

  /** The fetch session of a poll. */
  public int sessionId(long position) {
    return (int) polls[slot(position)];
  }

  /** The first position that has not been written. */
  public long writtenPosition() {
    return written;
  }

  /** What is asked of a position is kept until it is written and its response has come. */
  private long first() {
    return Math.min(written, due);
  }

  /** Whether some request waits for its answer. */
  public boolean awaitsAnswer() {
    return answered < asked;
  }

  /** Whether the request whose turn it is gets its answer from the proxy itself. */
  public boolean ownAnswerIsNext() {
    return awaitsAnswer() && ownAnswer[slot(answered)];
  }

  /** The request whose turn it is has its answer in the client's channel. */
  public void answer() {
    if (!awaitsAnswer()) {
      throw new IllegalStateException("expected a request in flight, found none");
    }
    answered++;
  }

  /**
   * Where answering stands, to be given to {@link #writtenUpTo} once the channel has written it.
   */
  public long answeredPosition() {
    return answered;
  }

  /** Everything answered before this position has been written to the socket. */
  public void writtenUpTo(long position) {
    if (position > answered) {
      throw new IllegalStateException(
          "expected a position of at most " + answered + ", found " + position);
    }
    written = Math.max(written, position);
  }

  /** How many requests have been read and whose responses have not left. */
  public int size() {
    return (int) (asked - written);
  }

  /** Whether nothing is in flight. */
  public boolean isEmpty() {
    return asked == written;
  }

  private int slot(long position) {
    return (int) (position & (requests.length - 1));
  }

  private void grow() {
    int capacity = requests.length * 2;
    var moreRequests = new long[capacity];
    var moreAskedAt = new long[capacity];
    var morePolls = new long[capacity];
    var moreOwnAnswer = new boolean[capacity];
    for (long position = first(); position < asked; position++) {
      int from = slot(position);
      int to = (int) (position & (capacity - 1));
      moreRequests[to] = requests[from];
      moreAskedAt[to] = askedAt[from];
      morePolls[to] = polls[from];
      moreOwnAnswer[to] = ownAnswer[from];
    }
    requests = moreRequests;
    askedAt = moreAskedAt;
    polls = morePolls;
    ownAnswer = moreOwnAnswer;
  }
}
