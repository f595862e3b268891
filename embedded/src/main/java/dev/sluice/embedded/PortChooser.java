package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses ports that are free on loopback now.
 *
 * <p>They lie below the range from which the operating system numbers outgoing connections. A port
 * of that range would be taken sooner or later by a client that reconnects while the server is down
 * for a restart, and a client that calls such a port may even be connected to itself.
 */
@FunctionalInterface
interface PortChooser {

  /** The lowest port to choose. */
  int LOWEST_PORT = 15_000;

  /** Where Linux begins to number outgoing connections by default; other systems begin later. */
  int PORT_AFTER_HIGHEST = 32_768;

  /** How often to look for a free port by chance before the operating system is asked for one. */
  int TRIES = 50;

  /** As many different free ports as wanted. */
  List<Integer> choose(int count);

  /** Ports by chance, all held at once so that they differ, then let go. */
  static PortChooser byChance() {
    return count -> {
      List<ServerSocket> held = new ArrayList<>();
      try {
        while (held.size() < count) {
          held.add(bound());
        }
        return held.stream().map(ServerSocket::getLocalPort).toList();
      } catch (IOException e) {
        throw new UncheckedIOException("Expected %d free ports on loopback".formatted(count), e);
      } finally {
        held.forEach(PortChooser::close);
      }
    };
  }

  private static ServerSocket bound() throws IOException {
    for (int tried = 0; tried < TRIES; tried++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, PORT_AFTER_HIGHEST);
      try {
        return bound(port);
      } catch (IOException _) {
        // Taken: the next number by chance.
      }
    }
    return bound(0);
  }

  private static ServerSocket bound(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
