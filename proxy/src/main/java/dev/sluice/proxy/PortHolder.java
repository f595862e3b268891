package dev.sluice.proxy;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One look at who listens on ports, as far as Linux tells this user (proc(5), net/tcp): all ports
 * at once, since a look goes through everything that every process has open. Blocks: not for event
 * loops.
 */
final class PortHolder {

  private static final Path PROC = Path.of("/proc");
  private static final String LISTENING = "0A";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int HEXADECIMAL = 16;

  /** By the name that a process knows its socket by. */
  private final Map<String, Integer> sockets = new HashMap<>();

  private final SortedMap<Integer, String> found = new TreeMap<>();
  private final long end;

  private PortHolder(Duration limit) {
    this.end = System.nanoTime() + limit.toNanos();
  }

  /**
   * The process in words, for each port that it can be told of.
   *
   * @param limit what has not been found by then is not looked for any more
   */
  static SortedMap<Integer, String> of(Collection<Integer> ports, Duration limit) {
    var look = new PortHolder(limit);
    try {
      look.findSockets(PROC.resolve("net/tcp"), ports);
      look.findSockets(PROC.resolve("net/tcp6"), ports);
      look.findProcesses();
    } catch (IOException | RuntimeException _) {
      // It cannot be told.
    }
    return look.found;
  }

  private void findSockets(Path table, Collection<Integer> ports) throws IOException {
    for (var line : Files.readAllLines(table)) {
      var fields = line.strip().split("\\s+", -1);
      if (fields.length > INODE && fields[STATE].equals(LISTENING)) {
        var address = fields[LOCAL_ADDRESS];
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1), HEXADECIMAL);
        if (ports.contains(port)) {
          sockets.put("socket:[" + fields[INODE] + "]", port);
        }
      }
    }
  }

  private void findProcesses() throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (var process : processes) {
        if (sockets.isEmpty() || System.nanoTime() - end > 0) {
          return;
        }
        findSocketsOf(process);
      }
    }
  }

  private void findSocketsOf(Path process) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (var file : files) {
        var port = port(file);
        if (port.isPresent()) {
          var name = Files.readString(process.resolve("comm")).strip();
          found.put(port.get(), "process " + process.getFileName() + " (" + name + ")");
        }
      }
    } catch (IOException | DirectoryIteratorException _) {
      // It has ended, or belongs to another user.
    }
  }

  /** Of an open file that is a socket which is looked for; it need not be looked for again. */
  private Optional<Integer> port(Path file) {
    @Nullable Integer port;
    try {
      port = sockets.remove(Files.readSymbolicLink(file).toString());
    } catch (IOException _) {
      return Optional.empty(); // Closed meanwhile.
    }
    return Optional.ofNullable(port);
  }
}
