package dev.sluice.audit;

/** One client that is audited. Its owner calls these in this order, each once, on one thread. */
interface AuditedClient {

  /** Begins; returns at once. */
  void start();

  /**
   * Sends nothing more and waits, boundedly, until what was sent is answered. A reader goes on
   * reading.
   */
  void rest() throws InterruptedException;

  /** Leaves as an application would; waits boundedly. */
  void leave() throws InterruptedException;
}
