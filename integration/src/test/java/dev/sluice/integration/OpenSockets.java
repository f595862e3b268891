package dev.sluice.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The sockets of this process, as the kernel tells them. */
final class OpenSockets {

  private static final String ESTABLISHED = "01";
  private static final String LISTENING = "0A";
  private static final String SOCKET = "socket:";
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
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
    return name(descriptor).startsWith(SOCKET);
  }

  private static String name(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException _) {
      return ""; // Closed since it was listed.
    }
  }

  /** Those of this process that are no longer listening, with both ports: for a failure's text. */
  static Set<String> connected() {
    var found = new TreeSet<String>();
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      var ours = open.map(OpenSockets::name).collect(Collectors.toSet());
      for (var field : entries()) {
        if (ours.contains(SOCKET + "[" + field[INODE] + "]") && !field[STATE].equals(LISTENING)) {
          found.add(port(field[LOCAL]) + " to " + port(field[REMOTE]) + ", state " + field[STATE]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** The accepted connections at these ports, each by what no other socket is called. */
  static Set<String> acceptedAt(Set<Integer> ports) {
    var accepted = new HashSet<String>();
    for (var field : entries()) {
      if (field[STATE].equals(ESTABLISHED) && ports.contains(port(field[LOCAL]))) {
        accepted.add(field[INODE]);
      }
    }
    return accepted;
  }

  private static List<String[]> entries() {
    var entries = new ArrayList<String[]>();
    for (var table : Set.of("tcp", "tcp6")) {
      try (var lines = Files.lines(Path.of("/proc/self/net", table))) {
        lines.skip(1).map(line -> line.strip().split("\\s+", -1)).forEach(entries::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return entries;
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEXADECIMAL);
  }
}
