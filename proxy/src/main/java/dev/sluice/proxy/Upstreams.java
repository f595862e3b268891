package dev.sluice.proxy;

/** Which upstream connections a switch to another generation makes anew. */
enum Upstreams {
  /** Those that lead to where the new generation would not go. */
  AS_NEEDED,
  /** All whose clients do not notice it. */
  ANEW
}
