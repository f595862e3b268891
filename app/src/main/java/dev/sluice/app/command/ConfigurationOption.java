package dev.sluice.app.command;

import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome;
import dev.sluice.app.configuration.ConfigurationSchema;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** {@code -c FILE}, the same in every command that reads a configuration. */
final class ConfigurationOption {

  /**
   * Reads configurations.
   *
   * @param schema loaded only by commands that need it
   * @param environment the value of a variable; empty if it is not set
   */
  record Reader(
      Supplier<ConfigurationSchema> schema, Function<String, Optional<String>> environment) {

    Outcome read(Path file) {
      return reader().read(file);
    }

    ConfigurationFile reader() {
      return new ConfigurationFile(schema.get(), environment);
    }
  }

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "The configuration.")
  private Path file = Path.of("");

  Path file() {
    return file;
  }
}
