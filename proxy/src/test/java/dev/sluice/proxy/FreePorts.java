package dev.sluice.proxy;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that are free now, below those that outgoing connections are given; each given once. */
final class FreePorts {

  private static final int LOWEST = 15_000;
  private static final int AFTER_HIGHEST = 32_768;
  private static final BitSet GIVEN = new BitSet();

  private FreePorts() {}

  /** The first of so many consecutive ones. */
  static int inARow(int count) {
    for (int attempt = 0; attempt < 10_000; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(LOWEST, AFTER_HIGHEST - count + 1);
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
