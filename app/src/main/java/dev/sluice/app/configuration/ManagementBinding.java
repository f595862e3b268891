package dev.sluice.app.configuration;

import dev.sluice.lifecycle.Readiness.Policy;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** From {@code management} to its record. */
final class ManagementBinding {

  private ManagementBinding() {}

  static ManagementSpec bind(Entry root, Path directory) {
    var entry = root.entry("management");
    var bindAddress = entry.text("bindAddress").orElse(ManagementSpec.DEFAULT_BIND_ADDRESS);
    var tokenFile = tokenFile(entry, directory);
    if (!loopback(bindAddress) && !entry.has("tokenFile")) {
      entry.warning(
          "bindAddress",
          "expected tokenFile beside an address that is not loopback, found none; calls that change"
              + " something are accepted from this machine only");
    }
    var readiness =
        entry.text("readiness").filter("any"::equals).map(_ -> Policy.ANY).orElse(Policy.ALL);
    var prometheus = !entry.has("endpoints") || entry.entry("endpoints").has("prometheus");
    return new ManagementSpec(
        bindAddress,
        entry.integer("port").orElse(ManagementSpec.DEFAULT_PORT),
        tokenFile,
        readiness,
        prometheus);
  }

  private static Optional<Path> tokenFile(Entry entry, Path directory) {
    var file = entry.text("tokenFile").map(directory::resolve);
    if (file.isPresent() && !Files.isReadable(file.get())) {
      entry.error("tokenFile", "expected a file that can be read, found none at " + file.get());
    }
    return file;
  }

  /** Literal addresses only: a configuration is judged without asking a name server. */
  private static boolean loopback(String address) {
    if (address.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(address).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
