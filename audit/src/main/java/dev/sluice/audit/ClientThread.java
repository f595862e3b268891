package dev.sluice.audit;

import java.time.Duration;

/** The thread of one client, which ends when it is told to. */
final class ClientThread {

  /** A client that has not left by then is left behind: its thread is a daemon. */
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(40);

  private final Thread thread;
  private volatile boolean ending;

  ClientThread(String name, Runnable work) {
    thread = Thread.ofPlatform().daemon().name(name).unstarted(work);
  }

  void start() {
    thread.start();
  }

  /** Whether the work is to go on. */
  boolean goesOn() {
    return !ending;
  }

  /** Tells the work to end and waits, boundedly. */
  void end() throws InterruptedException {
    ending = true;
    thread.join(LEAVE_LIMIT);
    if (thread.isAlive()) {
      thread.interrupt();
    }
  }
}
