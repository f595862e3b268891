package dev.sluice.app.command;

import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.app.configuration.RollFile;
import dev.sluice.app.configuration.RollFile.Outcome.Accepted;
import dev.sluice.app.configuration.RollFile.Outcome.Rejected;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The configuration of whatever rolls. */
final class RollConfigurationOption {

  private final Function<String, Optional<String>> environment;

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "The configuration of the roll.")
  private Path file = Path.of("");

  RollConfigurationOption(Function<String, Optional<String>> environment) {
    this.environment = environment;
  }

  /** The configuration; what is wrong with it is told first. */
  RollConfiguration configuration(Terminal terminal) {
    var outcome = new RollFile(ConfigurationSchema.loadRoll(), environment).read(file);
    outcome.findings().forEach(finding -> terminal.err().println(finding.inFile(file.toString())));
    return switch (outcome) {
      case Accepted(var configuration, _) -> configuration;
      case Rejected(_) ->
          throw new CommandFailedException(
              "Expected a valid configuration, found the errors above; mend them in " + file + ".");
    };
  }
}
