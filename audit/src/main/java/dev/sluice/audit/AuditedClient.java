package dev.sluice.audit;

/**
 * One client that is audited. Its owner calls these on one thread and, but for the rate, in this
 * order and each once.
 */
interface AuditedClient {

  /** Begins; returns at once. */
  void start();

  /** Sends at this rate from now on; a reader reads what comes. */
  default void keepTo(int recordsPerSecond) {}

  /**
   * Sends nothing more and waits, boundedly, until what was sent is answered. A reader goes on
   * reading.
   */
  void rest() throws InterruptedException;

  /** Leaves as an application would; waits boundedly. */
  void leave() throws InterruptedException;
}
