package dev.sluice.proxy;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that are free now, below those that outgoing connections are given; each given once. Of the
 * two JVMs that run tests at once each has a half of them: what is free may be given to the other.
 */
final class FreePorts {

  private static final int LOWEST = 15_000;
  private static final int AFTER_HIGHEST = 32_768;
  private static final int HALF = (AFTER_HIGHEST - LOWEST) / 2;

  /** Where the half of this JVM begins; surefire numbers them from one. */
  private static final int FIRST = LOWEST + Integer.getInteger("fork", 1) % 2 * HALF;

  private static final BitSet GIVEN = new BitSet();

  private FreePorts() {}

  /** The first of so many consecutive ones. */
  static int inARow(int count) {
    for (int attempt = 0; attempt < 10_000; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(FIRST, FIRST + HALF - count + 1);
      if (take(first, count)) {
        return first;
      }
    }
    throw new IllegalStateException("expected " + count + " free ports in a row, found none");
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
    var held = new ArrayList<ServerSocket>();
    try {
      for (int port = first; port < first + count; port++) {
        held.add(new ServerSocket(port));
      }
      return true;
    } catch (IOException _) {
      return false;
    } finally {
      held.forEach(ProxyUnderTest::free);
    }
  }
}
