package dev.sluice.app.command;

import static java.util.Objects.requireNonNull;

import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.app.configuration.RollFile;
import dev.sluice.app.configuration.RollFile.Outcome.Accepted;
import dev.sluice.app.configuration.RollFile.Outcome.Rejected;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What {@code roll plan} and {@code roll run} have in common. */
final class RollOption {

  private final Function<String, Optional<String>> environment;

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "The configuration of the roll.")
  private Path file = Path.of("");

  @Option(
      names = "--server",
      split = ",",
      paramLabel = "ID",
      description = "Only these servers are acted upon.")
  private List<Integer> servers = List.of();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description =
          "Restart servers for this reason, too. Without it only those are acted upon that are not"
              + " as desired.")
  private @Nullable String reason;

  @Option(
      names = "--max-parallel",
      paramLabel = "N",
      description = "The most brokers restarted together, instead of the configured number.")
  private @Nullable Integer maxParallel;

  RollOption(Function<String, Optional<String>> environment) {
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

  Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  Set<Integer> servers() {
    return new HashSet<>(servers);
  }

  Optional<Integer> maxParallel() {
    if (maxParallel != null && maxParallel < 1) {
      throw new ParameterException(
          requireNonNull(command).commandLine(),
          "Expected at least 1 with --max-parallel, found " + maxParallel + ".");
    }
    return Optional.ofNullable(maxParallel);
  }
}
