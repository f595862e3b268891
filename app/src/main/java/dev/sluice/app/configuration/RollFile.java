package dev.sluice.app.configuration;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads configurations of rolls. */
public final class RollFile {

  private final ConfigurationSchema schema;
  private final Function<String, Optional<String>> environment;

  /**
   * @param environment the value of a variable; empty if it is not set
   */
  public RollFile(ConfigurationSchema schema, Function<String, Optional<String>> environment) {
    this.schema = schema;
    this.environment = environment;
  }

  /** What became of a file. */
  public sealed interface Outcome {

    /** In the order of the document. */
    List<Finding> findings();

    /** No error was found; warnings may have been. */
    record Accepted(RollConfiguration configuration, List<Finding> findings) implements Outcome {}

    /** At least one error was found. */
    record Rejected(List<Finding> findings) implements Outcome {}
  }

  /**
   * Reads a file. Never throws: that it cannot be read is a finding, too. Paths in it are relative
   * to its directory.
   */
  public Outcome read(Path file) {
    return switch (ReadText.of(file, ConfigurationFile.MAX_BYTES)) {
      case ReadText.Text(var text, var directory) -> read(text, directory);
      case ReadText.Unreadable(var finding) -> new Outcome.Rejected(List.of(finding));
    };
  }

  /**
   * Reads the text of a file.
   *
   * @param directory to which paths in it are relative
   */
  public Outcome read(String text, Path directory) {
    var document = YamlDocument.read(text, environment);
    if (document.root().isMissingNode()) {
      return new Outcome.Rejected(document.findings().inOrder());
    }
    schema.judge(document);
    var configuration = new RollBinding(Entry.root(document), directory, environment).bind();
    var findings = document.findings().inOrder();
    return document.findings().anyError() || configuration.isEmpty()
        ? new Outcome.Rejected(findings)
        : new Outcome.Accepted(configuration.get(), findings);
  }
}
