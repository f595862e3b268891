package dev.sluice.protocol;

/**
 * What becomes of a request that was read while its connection is being drained. Two questions, in
 * this order: is it still worth forwarding while there is a broker that can be asked? And what is
 * the client told otherwise?
 */
public sealed interface Refusal {

  /** Why this and nothing else: for people. */
  String because();

  /**
   * Is not forwarded any more: an error that clients take quietly and come back from.
   *
   * @param code of Kafka's error codes
   */
  record AnswerError(short code, String because) implements Refusal {}

  /** Is not forwarded any more: no error, and nothing new ({@link EmptyFetch}). */
  record AnswerNothing(String because) implements Refusal {}

  /**
   * Is forwarded as long as a broker can be asked; else this error.
   *
   * @param code of Kafka's error codes
   */
  record ForwardElseError(short code, String because) implements Refusal {}

  /**
   * Is forwarded as long as a broker can be asked; else the connection is closed without an answer,
   * which every client retries. The clients take no error for this request quietly.
   */
  record ForwardElseClose(String because) implements Refusal {}
}
