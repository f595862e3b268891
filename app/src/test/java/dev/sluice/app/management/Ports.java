package dev.sluice.app.management;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports that were free a moment ago. */
public final class Ports {

  private Ports() {}

  /** The first of so many consecutive ones. */
  public static int consecutive(int count) {
    return FreePorts.inARow(count);
  }

  /** Listens on a port. */
  public static ServerSocket occupy(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
