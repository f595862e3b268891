package dev.sluice.app.configuration;

import dev.sluice.lifecycle.Readiness.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** From {@code management} to its record. */
final class ManagementBinding {

  private ManagementBinding() {}

  static ManagementSpec bind(Entry root, Path directory) {
    var entry = root.entry("management");
    var tls = new TlsBinding(directory, "the management API cannot be served").bind(entry);
    if (tls.isPresent() && !entry.entry("tls").has("key")) {
      entry.error("tls", "expected the key 'key' with what callers are shown, which is missing");
    }
    var readiness =
        entry.text("readiness").filter("any"::equals).map(_ -> Policy.ANY).orElse(Policy.ALL);
    var prometheus = !entry.has("endpoints") || entry.entry("endpoints").has("prometheus");
    var spec =
        new ManagementSpec(
            entry.text("bindAddress").orElse(ManagementSpec.DEFAULT_BIND_ADDRESS),
            entry.integer("port").orElse(ManagementSpec.DEFAULT_PORT),
            tls,
            tokenFile(entry, directory),
            readiness,
            prometheus);
    warn(entry, spec);
    return spec;
  }

  /** Of what others than this machine could do or hear. */
  private static void warn(Entry entry, ManagementSpec spec) {
    if (!spec.isLoopback() && !entry.has("tokenFile")) {
      entry.warning(
          "bindAddress",
          "expected tokenFile beside an address that is not loopback, found none; calls that change"
              + " something are accepted from this machine only");
    }
    if (spec.isOverheard() && !entry.has("tls")) {
      entry.warning(
          "bindAddress",
          "expected tls beside an address that is not loopback, found none; whoever listens on the"
              + " way reads all that is said"
              + (entry.has("tokenFile") ? ", the token included, and can use it" : ""));
    }
  }

  private static Optional<Path> tokenFile(Entry entry, Path directory) {
    var file = entry.path("tokenFile", directory);
    if (file.isPresent() && !Files.isReadable(file.get())) {
      entry.error("tokenFile", "expected a file that can be read, found none at " + file.get());
    }
    return file;
  }
}
