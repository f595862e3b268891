package dev.sluice.app.reload;

import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Rejected;
import dev.sluice.app.configuration.Finding;
import dev.sluice.app.configuration.Finding.Severity;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The file that the process began with, and how such files are read.
 *
 * @param path empty: it began without one
 * @param seen what it was before it was read, as {@link FileWatch#look} tells
 */
public record ReloadFiles(
    ConfigurationFile reader, Optional<Path> path, SortedMap<Path, String> seen) {

  private static final String BUILT_IN = "built in";
  private static final Finding NO_FILE =
      new Finding(
          Severity.ERROR,
          "",
          1,
          1,
          "expected a configuration file, found that this proxy began without one; send a"
              + " configuration in the body of the request");

  public ReloadFiles {
    seen = Collections.unmodifiableSortedMap(new TreeMap<>(seen));
  }

  /** Without a file, or with one that nobody watches. */
  public ReloadFiles(ConfigurationFile reader, Optional<Path> path) {
    this(reader, path, Collections.emptySortedMap());
  }

  /** How people are told where a configuration came from. */
  String source() {
    return path.map(Path::toString).orElse(BUILT_IN);
  }

  /** Reads the file. Blocks. */
  ConfigurationFile.Outcome read() {
    return path.map(reader::read).orElseGet(() -> new Rejected(List.of(NO_FILE)));
  }

  /** Reads a text without a file of its own: paths in it are relative to where the file lies. */
  ConfigurationFile.Outcome read(String text) {
    return reader.read(
        text,
        path.map(Path::toAbsolutePath)
            .flatMap(file -> Optional.ofNullable(file.getParent()))
            .orElse(Path.of("")));
  }
}
