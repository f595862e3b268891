package dev.sluice.proxy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Who listens on a port, as far as Linux tells this user (proc(5), net/tcp). Blocks: not for event
 * loops.
 */
final class PortHolder {

  private static final Path PROC = Path.of("/proc");
  private static final String LISTENING = "0A";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private PortHolder() {}

  /** The process in words, or empty where it cannot be told. */
  static Optional<String> of(int port) {
    try {
      var sockets = new HashSet<String>();
      sockets.addAll(inodes(PROC.resolve("net/tcp"), port));
      sockets.addAll(inodes(PROC.resolve("net/tcp6"), port));
      return sockets.isEmpty() ? Optional.empty() : process(sockets);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Set<String> inodes(Path table, int port) throws IOException {
    var suffix = ":%04X".formatted(port);
    var inodes = new HashSet<String>();
    for (var line : Files.readAllLines(table)) {
      var fields = line.strip().split("\\s+", -1);
      if (fields.length > INODE
          && fields[LOCAL_ADDRESS].endsWith(suffix)
          && fields[STATE].equals(LISTENING)) {
        inodes.add("socket:[" + fields[INODE] + "]");
      }
    }
    return inodes;
  }

  private static Optional<String> process(Set<String> sockets) throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (var process : processes) {
        if (holds(process, sockets)) {
          var name = Files.readString(process.resolve("comm")).strip();
          return Optional.of("process " + process.getFileName() + " (" + name + ")");
        }
      }
    }
    return Optional.empty();
  }

  private static boolean holds(Path process, Set<String> sockets) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (var file : files) {
        if (sockets.contains(Files.readSymbolicLink(file).toString())) {
          return true;
        }
      }
    } catch (IOException e) {
      return false; // It has ended, or belongs to another user.
    }
    return false;
  }
}
