package dev.sluice.lifecycle.quiet;

/**
 * A request whose response has not left for the client.
 *
 * @param readAt when its first byte was read
 * @param answerAt when the proxy's own answer is due; of meaning while held
 */
public record Pending(Request request, Stage stage, long readAt, long answerAt) {

  /** How far it is. */
  public enum Stage {
    /** With the broker. */
    FORWARDED,
    /** Not forwarded, never will be; the proxy's own answer is due in a moment. */
    HELD,
    /** Its response is on its way through. */
    ANSWERING,
    /** The last byte of its response was handed to the client's channel. */
    ANSWERED,
    /** Nobody answers it any more. */
    ABANDONED
  }

  /** As a shell hands over what was in flight at the mark. */
  public static Pending of(Request request, Stage stage, long readAt) {
    return new Pending(request, stage, readAt, readAt);
  }

  Pending at(Stage next) {
    return new Pending(request, next, readAt, answerAt);
  }

  /** Whether the broker may sit on it for longer than until then. */
  boolean outlasts(long end) {
    return readAt + request.maxWait() - end > 0;
  }
}
