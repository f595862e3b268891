package dev.sluice.bench;

/** Whom arms stand before. */
enum Upstream {
  /** The broker. */
  BROKER,
  /** The broker, over TLS on both sides of the arm. */
  TLS_BROKER,
  /** A stub that answers at once ({@link StubMain}). */
  STUB
}
