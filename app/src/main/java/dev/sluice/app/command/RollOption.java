package dev.sluice.app.command;

import static java.util.Objects.requireNonNull;

import dev.sluice.app.configuration.RollConfiguration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What {@code roll plan} and {@code roll run} have in common. */
final class RollOption {

  @Mixin private final RollConfigurationOption configuration;

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec command;

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
    this.configuration = new RollConfigurationOption(environment);
  }

  /** The configuration; what is wrong with it is told first. */
  RollConfiguration configuration(Terminal terminal) {
    return configuration.configuration(terminal);
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
