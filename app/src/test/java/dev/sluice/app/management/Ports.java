package dev.sluice.app.management;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports that were free a moment ago. */
public final class Ports {

  private static final int ATTEMPTS = 1_000;

  private Ports() {}

  /** The first of so many consecutive ones. */
  public static int consecutive(int count) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      var first = one();
      if (first + count <= 65_535 && areFree(first, count)) {
        return first;
      }
    }
    throw new IOException("Expected " + count + " consecutive free ports, found none");
  }

  /** Listens on a port. */
  public static ServerSocket occupy(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  private static int one() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean areFree(int first, int count) throws IOException {
    var held = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        held.add(occupy(first + i));
      }
      return true;
    } catch (IOException _) {
      return false;
    } finally {
      for (var socket : List.copyOf(held)) {
        socket.close();
      }
    }
  }
}
