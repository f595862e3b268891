package dev.sluice.app.command;

import dev.sluice.app.run.Playground;
import dev.sluice.embedded.KafkaClasspath;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a Kafka cluster and a proxy of this machine alone stand. */
final class PlaygroundOption {

  @Option(
      names = "--base-port",
      paramLabel = "PORT",
      defaultValue = "9192",
      description =
          "Bootstrap port of the first virtual cluster; its nodes take the next three, the second"
              + " virtual cluster the same 100 further on (default: ${DEFAULT-VALUE}).")
  private int basePort;

  @Option(
      names = "--management-port",
      paramLabel = "PORT",
      defaultValue = "9190",
      description = "Port of the management API; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int managementPort;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  /** What was asked for; bad usage if no machine can have that. */
  Playground playground() {
    var playground = new Playground(basePort, managementPort);
    playground
        .contradiction()
        .ifPresent(
            why -> {
              throw new ParameterException(command.commandLine(), why);
            });
    return playground;
  }

  /** The servers' jars: of the distribution, or where it was not started from one, of this JVM. */
  static KafkaClasspath classpath() {
    var folder = Path.of(System.getProperty("sluice.home", "."), "lib", "kafka");
    return Files.isDirectory(folder) ? KafkaClasspath.of(folder) : KafkaClasspath.ofThisJvm();
  }
}
