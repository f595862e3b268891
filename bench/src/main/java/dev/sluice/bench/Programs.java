package dev.sluice.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the arms run.
 *
 * @param sluice the launcher of the distribution
 * @param haproxy where it is installed; empty where it is not
 */
record Programs(Path sluice, Optional<Path> haproxy) {

  /** Debian puts it where only root's path looks. */
  private static final String FURTHER_FOLDERS =
      "/usr/sbin" + File.pathSeparator + "/usr/local/sbin";

  static Programs find(Path sluice) {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + FURTHER_FOLDERS;
    return new Programs(
        sluice,
        Stream.of(path.split(File.pathSeparator, -1))
            .map(folder -> Path.of(folder, "haproxy"))
            .filter(Files::isExecutable)
            .findFirst());
  }

  /** What HAProxy says of itself, or that it is not there. */
  String haproxyVersion() throws IOException {
    if (haproxy.isEmpty()) {
      return "no HAProxy";
    }
    var process = new ProcessBuilder(haproxy.get().toString(), "-v").start();
    try (var said = process.inputReader()) {
      String line = said.readLine();
      return line == null ? "HAProxy" : line.replaceAll("^(\\S+) version (\\S+).*", "$1 $2");
    } finally {
      process.destroy();
    }
  }

  /** Why an arm cannot be run here; empty where it can. */
  Optional<String> lacks(Arm arm) {
    if (arm == Arm.HAPROXY && haproxy.isEmpty()) {
      return Optional.of("haproxy is not installed");
    }
    if (arm == Arm.SLUICE && !Files.isExecutable(sluice)) {
      return Optional.of("there is no distribution at " + sluice + "; build module app");
    }
    return Optional.empty();
  }
}
