package dev.sluice.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Random;

/**
 * Ports that are free on loopback now, each given once. They lie below those that the operating
 * system gives to outgoing connections: a client of the run shall not take one by accident.
 */
final class FreePorts {

  private static final int LOWEST = 15_000;
  private static final int AFTER_HIGHEST = 32_768;
  private static final int MOST_TRIES = 1_000;

  private final Random chance = new Random();

  int next() {
    for (int tried = 0; tried < MOST_TRIES; tried++) {
      int port = chance.nextInt(LOWEST, AFTER_HIGHEST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "Expected a free port from %d to %d, found none in %d tries"
            .formatted(LOWEST, AFTER_HIGHEST - 1, MOST_TRIES));
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
