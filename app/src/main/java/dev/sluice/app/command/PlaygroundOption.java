package dev.sluice.app.command;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.run.Playground;
import dev.sluice.app.run.PortInUseException;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
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

  /** What is done once the cluster is there. */
  interface Play {
    int with(EmbeddedCluster kafka, Configuration configuration) throws InterruptedException;
  }

  /**
   * Starts a real cluster, and ends it afterwards, whatever happens.
   *
   * @return what the play came to
   * @throws CommandFailedException if a port is in use: then nothing was started
   */
  int run(Terminal terminal, Play play) throws InterruptedException {
    var playground = playground();
    try {
      PortInUseException.check(playground.ports());
      terminal.err().println("Starting a Kafka cluster of " + Playground.SERVERS + " servers ...");
      var plan = ClusterPlan.combined(Playground.SERVERS).running(classpath());
      try (var kafka = EmbeddedCluster.start(plan)) {
        return play.with(kafka, playground.configuration(kafka.bootstrapServers()));
      }
    } catch (PortInUseException e) {
      throw new CommandFailedException(
          e.getMessage() + " Other ports: --base-port and --management-port.", e);
    }
  }

  /** What was asked for; bad usage if no machine can have that. */
  private Playground playground() {
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
  private static KafkaClasspath classpath() {
    var folder = Path.of(System.getProperty("sluice.home", "."), "lib", "kafka");
    return Files.isDirectory(folder) ? KafkaClasspath.of(folder) : KafkaClasspath.ofThisJvm();
  }
}
