package dev.sluice.app.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.reload.Reloader;
import dev.sluice.app.run.Playground;
import dev.sluice.app.run.PortInUseException;
import dev.sluice.app.run.RunningProxy;
import dev.sluice.audit.ReportJson;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice demo}. */
@Command(
    name = "demo",
    description = {
      "The story, unattended: a real Kafka cluster of three servers, a proxy with two virtual"
          + " clusters, clients of both, and what may happen to them.",
      "Ends with what the clients noticed. Exit status 0 only if every step came as expected, no"
          + " record was lost, duplicated or reordered, and clients of the virtual cluster that"
          + " served all the time noticed nothing but a pause."
    },
    footer = {
      "",
      "Examples:",
      "  sluice demo",
      "  sluice demo --keep      # goes on afterwards, until Ctrl-C",
      "  sluice demo -o json > demo.json"
    })
final class DemoCommand implements Callable<Integer> {

  /** How long the load goes on before the first step, between steps and after the last. */
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(4);

  private final Terminal terminal;
  private final ConfigurationOption.Reader reader;
  @Mixin private final PlaygroundOption option = new PlaygroundOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--keep", description = "Keep all of it running afterwards, until Ctrl-C.")
  private boolean keep;

  DemoCommand(Terminal terminal, ConfigurationOption.Reader reader) {
    this.terminal = terminal;
    this.reader = reader;
  }

  @Override
  public Integer call() throws InterruptedException {
    var playground = option.playground();
    try {
      PortInUseException.check(playground.ports());
      terminal.err().println("Starting a Kafka cluster of " + Playground.SERVERS + " servers ...");
      var plan = ClusterPlan.combined(Playground.SERVERS).running(PlaygroundOption.classpath());
      try (var kafka = EmbeddedCluster.start(plan)) {
        return run(kafka, playground.configuration(kafka.bootstrapServers()));
      }
    } catch (PortInUseException e) {
      throw new CommandFailedException(
          e.getMessage() + " Other ports: --base-port and --management-port.", e);
    }
  }

  private int run(EmbeddedCluster kafka, Configuration configuration) throws InterruptedException {
    // There is no file: a configuration can be sent.
    var files = new Reloader.Files(reader.reader(), Optional.empty());
    try (var running = RunningProxy.start(configuration, files)) {
      var stage = new DemoStage(running, narrator());
      int status = play(stage, bootstrapServers(configuration), kafka.bootstrapServers());
      if (keep) {
        running.obeySignals();
        stage.tell("It all goes on until Ctrl-C.");
      } else {
        running.proxy().stop("the demo is over");
      }
      ProxyCommand.ended(running);
      return status;
    } catch (IOException e) {
      throw new CommandFailedException("Expected to take a port, could not: " + e.getMessage(), e);
    }
  }

  /** Results go to programs by themselves: the story is told beside them. */
  private Terminal narrator() {
    return output.form() == OutputOption.Form.table
        ? new Terminal(terminal.out(), terminal.out(), terminal.interactive())
        : new Terminal(terminal.err(), terminal.err(), false);
  }

  private int play(DemoStage stage, SequencedMap<String, String> clusters, String kafka)
      throws IOException, InterruptedException {
    stage.tell("Clients come aboard, of each virtual cluster its own.");
    try (var load = DemoLoad.start(clusters, kafka, stage::tell)) {
      Thread.sleep(BETWEEN_STEPS);
      load.eventsBegin();
      boolean asExpected = true;
      int number = 0;
      for (var step : DemoStep.story()) {
        stage.tell("");
        stage.tell("%d. %s".formatted(++number, step.says()));
        asExpected &= step.deed().play(stage);
        Thread.sleep(BETWEEN_STEPS);
        stage.tell("   %d records sent so far".formatted(load.sent()));
      }
      stage.tell("");
      stage.tell("The load has ended; reading everything once more ...");
      return told(stage, asExpected, load.finish());
    }
  }

  private int told(DemoStage stage, boolean asExpected, Map<DemoCast, AuditReport> reports) {
    boolean passed = asExpected;
    var root = new ObjectMapper().createObjectNode();
    ObjectNode audits = root.putObject("audits");
    for (var entry : reports.entrySet()) {
      var cast = entry.getKey();
      var verdict = cast.limits().judge(entry.getValue());
      passed &= verdict.passed();
      audits.set(cast.cluster(), ReportJson.tree(entry.getValue(), verdict));
      stage.tell("");
      stage.tell("What clients of " + cast.cluster() + " noticed, " + cast.says() + ":");
      ReportTable.lines(entry.getValue(), verdict).forEach(stage::tell);
    }
    root.put("stepsAsExpected", asExpected);
    root.put("passed", passed);
    if (output.form() != OutputOption.Form.table) {
      terminal.out().println(output.text(root));
    }
    return passed ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  private static SequencedMap<String, String> bootstrapServers(Configuration configuration) {
    var servers = new LinkedHashMap<String, String>();
    for (var cluster : configuration.proxy().virtualClusters()) {
      servers.put(cluster.name(), cluster.gateways().getFirst().bootstrapAddress().toString());
    }
    return servers;
  }
}
