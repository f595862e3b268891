package dev.sluice.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** The sockets of this process, as the kernel tells them. */
final class OpenSockets {

  private static final String ESTABLISHED = "01";
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int HEXADECIMAL = 16;

  private OpenSockets() {}

  /** How many there are, of whatever kind. */
  static long count() {
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(OpenSockets::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException _) {
      return false; // Closed since it was listed.
    }
  }

  /** The accepted connections at these ports, each by what no other socket is called. */
  static Set<String> acceptedAt(Set<Integer> ports) {
    var accepted = new HashSet<String>();
    for (var table : Set.of("tcp", "tcp6")) {
      try (var lines = Files.lines(Path.of("/proc/self/net", table))) {
        lines
            .skip(1)
            .map(line -> line.strip().split("\\s+", -1))
            .filter(field -> field[STATE].equals(ESTABLISHED) && ports.contains(port(field[LOCAL])))
            .forEach(field -> accepted.add(field[INODE]));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return accepted;
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEXADECIMAL);
  }
}
