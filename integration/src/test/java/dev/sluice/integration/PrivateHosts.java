package dev.sluice.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lets names of a test lead to this machine for programs that it starts: each sees a file of hosts
 * of its own, in a mount namespace of its own. Linux, where such namespaces are allowed.
 */
final class PrivateHosts {

  private static final String MOUNTED = "mount --bind \"$0\" /etc/hosts && exec \"$@\"";

  private final Path hosts;

  private PrivateHosts(Path hosts) {
    this.hosts = hosts;
  }

  /**
   * Writes the file.
   *
   * @param folder in which it stays
   */
  static PrivateHosts with(Path folder, String... names) {
    var lines =
        Stream.concat(Stream.of("localhost"), Stream.of(names))
            .map(name -> "127.0.0.1 " + name)
            .toList();
    try {
      return new PrivateHosts(Files.write(folder.resolve("hosts"), lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether this machine allows it; where it does not, that is told. */
  boolean isPossible() throws InterruptedException {
    if (Child.find("unshare").isPresent()) {
      var tried = Child.run(command(List.of("true")), "");
      if (tried.exitStatus() == 0) {
        return true;
      }
      System.err.println(
          "SKIPPED: no mount namespace of one's own here: " + tried.output().strip());
      return false;
    }
    System.err.println("SKIPPED: unshare is not installed (Debian package util-linux)");
    return false;
  }

  /** The command that runs a program so. It is the program itself once that has begun. */
  List<String> command(List<String> program) {
    var command =
        new ArrayList<>(
            List.of(
                "unshare", "--map-root-user", "--mount", "sh", "-c", MOUNTED, hosts.toString()));
    command.addAll(program);
    return command;
  }

  /** Launchers of an audit's programs that run so, of those that are set up. */
  Path launchers(Path programs, Path folder) {
    try {
      var bin = Files.createDirectories(folder.resolve("bin"));
      try (var all = Files.list(programs.resolve("bin"))) {
        for (var program : all.toList()) {
          var words =
              command(List.of(program.toAbsolutePath().toString())).stream()
                  .map(word -> "'" + word + "'")
                  .collect(Collectors.joining(" "));
          var launcher = bin.resolve(program.getFileName());
          Files.writeString(launcher, "#!/bin/sh\nexec " + words + "\n");
          Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
