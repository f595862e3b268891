package dev.sluice.app.reload;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.proxy.tls.NamedFile;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A configuration whose named files are looked at.
 *
 * @param source what it came from, for people
 * @param reading reads that again
 */
record Followed(
    Configuration configuration, String source, Supplier<ConfigurationFile.Outcome> reading) {

  /** The files that it names whose content is a part of it. */
  Set<Path> files() {
    return configuration.namedFiles().keySet();
  }

  /** Whether one of them has changed since it was read. Blocks. */
  boolean isOutdated() {
    return configuration.namedFiles().entrySet().stream()
        .anyMatch(file -> !NamedFile.digestOf(file.getKey()).equals(file.getValue()));
  }
}
