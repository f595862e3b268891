package dev.sluice.app.command;

import dev.sluice.app.management.RollMeters;
import dev.sluice.app.management.RollServer;
import dev.sluice.app.management.ServeHealth;
import dev.sluice.app.run.PatientOpening;
import dev.sluice.app.run.RollListeners;
import dev.sluice.app.run.ServingRoll;
import dev.sluice.roller.RollScribe;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice roll serve}. */
@Command(
    name = "serve",
    description = {
      "Roll pods whenever there is need, until SIGINT or SIGTERM, which stop after the batch under"
          + " way.",
      "Run several of them: the one that holds the lease of the Kafka cluster acts, the others wait"
          + " for it. After a halt nothing is restarted until what stopped the roll is over, or"
          + " something else is wanted.",
      "A Kafka cluster or an API server that does not answer yet is waited for: /livez is well,"
          + " /readyz is not and says why."
    },
    footer = {
      "",
      "Examples:",
      "  sluice roll serve -c roll.yaml",
      "  sluice roll serve -c roll.yaml --host 0.0.0.0 --port 9191"
    })
final class RollServeCommand implements Callable<Integer> {

  private static final int DEFAULT_BETWEEN_SECONDS = 30;

  private final Terminal terminal;
  @Mixin private final RollConfigurationOption roll;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Where to show it at / and answer /livez, /readyz, /metrics and GET /api/v1/rolls/current, to everybody who"
              + " can reach it; 0.0.0.0 in a pod. Default: ${DEFAULT-VALUE}.")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "9191",
      description = "0 takes a free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "Between looks when nothing is to be done. Default: 30.")
  private int everySeconds = DEFAULT_BETWEEN_SECONDS;

  RollServeCommand(Terminal terminal, Function<String, Optional<String>> environment) {
    this.terminal = terminal;
    this.roll = new RollConfigurationOption(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    var configuration = roll.configuration(terminal);
    var health = new ServeHealth(Clock.systemUTC());
    var scribe = new RollScribe();
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var server = RollServer.start(host, port, scribe, registry::scrape, health);
    var listeners =
        new RollListeners(
            List.of(health, scribe, new RollMeters(registry), new RollProgress(terminal), server));
    terminal.err().println("http://%s:%d/readyz tells how it is".formatted(host, server.port()));
    var opening = new PatientOpening(configuration, health, terminal.err()::println);
    try (server;
        var running = opening.await()) {
      terminal.err().println("Kafka cluster " + running.clusterId() + ", " + running.platform());
      var every = Duration.ofSeconds(Math.max(1, everySeconds));
      var serving = new ServingRoll(running, listeners, health, every);
      serving.obeySignals();
      serving.run();
      return ExitStatus.DONE;
    } catch (IOException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
  }
}
