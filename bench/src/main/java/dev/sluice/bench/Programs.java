package dev.sluice.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the arms run.
 *
 * @param sluice the launcher of the distribution
 * @param haproxy where it is installed; empty where it is not
 * @param kroxylicious the folder of its pom, with the class path that was resolved for it; empty
 *     where it could not be
 */
record Programs(Path sluice, Optional<Path> haproxy, Optional<Path> kroxylicious) {

  private static final String CLASS_PATH = "target/class-path";
  private static final Pattern VERSION = Pattern.compile("kroxylicious-runtime-([\\w.]+)\\.jar");

  /** Debian puts it where only root's path looks. */
  private static final String FURTHER_FOLDERS =
      "/usr/sbin" + File.pathSeparator + "/usr/local/sbin";

  /**
   * Looks for them.
   *
   * @param peers the folder with one folder for each peer that Maven fetches
   */
  static Programs find(Path sluice, Path peers) {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + FURTHER_FOLDERS;
    return new Programs(
        sluice,
        Stream.of(path.split(File.pathSeparator, -1))
            .map(folder -> Path.of(folder, "haproxy"))
            .filter(Files::isExecutable)
            .findFirst(),
        Optional.of(peers.resolve("kroxylicious"))
            .filter(folder -> Files.isReadable(folder.resolve(CLASS_PATH))));
  }

  /** The class path of Kroxylicious, which is there. */
  String kroxyliciousClassPath() throws IOException {
    return Files.readString(kroxylicious.orElseThrow().resolve(CLASS_PATH)).strip();
  }

  /** Which one it is, or that it is not there. */
  String kroxyliciousVersion() throws IOException {
    if (kroxylicious.isEmpty()) {
      return "no Kroxylicious";
    }
    var found = VERSION.matcher(kroxyliciousClassPath());
    return "Kroxylicious " + (found.find() ? found.group(1) : "of unknown version");
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
    if (arm == Arm.KROXYLICIOUS && kroxylicious.isEmpty()) {
      return Optional.of("it has not been fetched; run bench/peers/fetch");
    }
    if ((arm == Arm.SLUICE || arm == Arm.FILTERED) && !Files.isExecutable(sluice)) {
      return Optional.of("there is no distribution at " + sluice + "; build module app");
    }
    return Optional.empty();
  }
}
