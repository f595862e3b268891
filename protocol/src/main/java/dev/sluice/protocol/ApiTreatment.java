package dev.sluice.protocol;

/** How much of a request or a response the proxy has to look at. */
public enum ApiTreatment {
  /** Passes as it came; only its header is read. */
  OPAQUE,
  /**
   * Passes as it came, but a few fields are looked up in place, and rewritten if they are there.
   */
  SKIMMED,
  /** Collected whole, read, changed, and written anew. */
  DECODED
}
