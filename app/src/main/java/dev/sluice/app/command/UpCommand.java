package dev.sluice.app.command;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.run.PlaygroundRoll;
import dev.sluice.app.run.RunningProxy;
import dev.sluice.embedded.EmbeddedCluster;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice up}. */
@Command(
    name = "up",
    description = {
      "Start a real Kafka cluster of three servers, and a proxy with two virtual clusters.",
      "Both are on this machine and stay until Ctrl-C, which ends all of it and removes what it"
          + " wrote."
    },
    footer = {
      "",
      "Examples:",
      "  sluice up",
      "  sluice up --base-port 19192 --management-port 19190"
    })
final class UpCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final ConfigurationOption.Reader reader;

  @Mixin private final PlaygroundOption option = new PlaygroundOption();

  UpCommand(Terminal terminal, ConfigurationOption.Reader reader) {
    this.terminal = terminal;
    this.reader = reader;
  }

  @Override
  public Integer call() throws InterruptedException {
    return option.run(terminal, this::run);
  }

  private int run(EmbeddedCluster kafka, Configuration configuration) throws InterruptedException {
    try (var running = RunningProxy.start(configuration, files())) {
      running.obeySignals();
      terminal.out().println(welcome(kafka, configuration, running.managementPort()));
      var status = ProxyCommand.ended(running);
      terminal.err().println("Stopping the Kafka cluster ...");
      return status;
    }
  }

  private String welcome(EmbeddedCluster kafka, Configuration configuration, int port) {
    var management = "http://127.0.0.1:" + port;
    var orders = bootstrap(configuration, 0);
    var payments = bootstrap(configuration, 1);
    var option = port == 9190 ? "" : " --management " + management;
    return """

        Kafka        %s
        orders       %s
        payments     %s
        management   %s   (in a browser, too)

        Try in another terminal:
          %s status --watch%s
          kcat -b %s -L
          echo hello | kcat -b %s -P -t greetings
          kcat -b %s -C -t greetings -e
          curl -s %s/api/v1/virtual-clusters
          curl -sN %s/api/v1/events
          %s roll run -c %s --reason 'to see it roll'

        Ctrl-C ends all of it."""
        .formatted(
            kafka.bootstrapServers(),
            orders,
            payments,
            management,
            System.getProperty("sluice.command", "sluice"),
            option,
            orders,
            orders,
            payments,
            management,
            management,
            System.getProperty("sluice.command", "sluice"),
            PlaygroundRoll.write(kafka));
  }

  /** There is no file: a configuration can be sent. */
  private ReloadFiles files() {
    return new ReloadFiles(reader.reader(), Optional.empty());
  }

  private static String bootstrap(Configuration configuration, int cluster) {
    var gateways = configuration.proxy().virtualClusters().get(cluster).gateways();
    return gateways.getFirst().bootstrapAddress().toString();
  }
}
