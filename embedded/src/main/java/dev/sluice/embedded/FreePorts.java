package dev.sluice.embedded;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that are free now. Safe for use from every thread.
 *
 * <p>They lie below the range from which the operating system numbers outgoing connections. A port
 * of that range would be taken sooner or later by a client that reconnects while the server is down
 * for a restart, and a client that calls such a port may even be connected to itself.
 */
public final class FreePorts {

  private static final int LOWEST = 15_000;

  /** Where Linux begins to number outgoing connections by default; other systems begin later. */
  private static final int AFTER_HIGHEST = 32_768;

  private static final int MOST_TRIES = 10_000;

  /** Given once, a port counts as taken for as long as this process runs: it may not listen yet. */
  private static final BitSet GIVEN = new BitSet();

  private FreePorts() {}

  /** One. */
  public static int one() {
    return inARow(1);
  }

  /**
   * The first of so many consecutive ones.
   *
   * @throws IllegalStateException if there are none
   */
  public static int inARow(int count) {
    for (int tried = 0; tried < MOST_TRIES; tried++) {
      int first = ThreadLocalRandom.current().nextInt(LOWEST, AFTER_HIGHEST - count + 1);
      if (take(first, count)) {
        return first;
      }
    }
    throw new IllegalStateException(
        "Expected %d free ports in a row from %d to %d, found none in %d tries"
            .formatted(count, LOWEST, AFTER_HIGHEST - 1, MOST_TRIES));
  }

  private static boolean take(int first, int count) {
    synchronized (GIVEN) {
      int given = GIVEN.nextSetBit(first);
      if ((given >= 0 && given < first + count) || !areFree(first, count)) {
        return false;
      }
      GIVEN.set(first, first + count);
      return true;
    }
  }

  private static boolean areFree(int first, int count) {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int port = first; port < first + count; port++) {
        held.add(new ServerSocket(port));
      }
      return true;
    } catch (IOException _) {
      return false;
    } finally {
      held.forEach(FreePorts::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
