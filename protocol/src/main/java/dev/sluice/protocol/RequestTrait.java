package dev.sluice.protocol;

/** What else than its API and version decides how a request is refused. */
public enum RequestTrait {
  /** Nothing of the following. */
  PLAIN,
  /** Produce with acks=0: there is no response ({@link RequestPeek#answered} is false). */
  UNANSWERED,
  /** InitProducerId for a transactional id. */
  TRANSACTIONAL,
  /** ShareFetch that acknowledges records ({@link FetchPeek#mayAcknowledge}). */
  ACKNOWLEDGING
}
