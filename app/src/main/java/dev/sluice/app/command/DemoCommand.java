package dev.sluice.app.command;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.run.RunningProxy;
import dev.sluice.embedded.EmbeddedCluster;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice demo}. */
@Command(
    name = "demo",
    description = {
      "The story, unattended: a real Kafka cluster of three servers, a proxy with two virtual"
          + " clusters, clients of both, and what may happen to them. Then Kafka is restarted server"
          + " by server.",
      "Each part ends with what its clients noticed. Exit status 0 only if every step came as"
          + " expected, no record was lost, duplicated or reordered, and no client"
          + " of the virtual cluster that served all the time began anew or lost its place in a group"
          + " until Kafka itself was restarted.",
      "The proxy's log is left out down to warnings: SLUICE_LOG_LEVEL=INFO takes it in."
    },
    footer = {
      "",
      "Examples:",
      "  sluice demo",
      "  sluice demo --keep      # goes on afterwards, until Ctrl-C",
      "  sluice demo -o json > demo.json"
    })
final class DemoCommand implements Callable<Integer> {

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
    return option.run(terminal, this::run);
  }

  private int run(EmbeddedCluster kafka, Configuration configuration) throws InterruptedException {
    // There is no file: a configuration can be sent.
    var files = new ReloadFiles(reader.reader(), Optional.empty());
    try (var running = RunningProxy.start(configuration, files)) {
      var stage = new DemoStage(running, configuration, kafka, narrator());
      stage.tell(stage.management() + " shows all of it live, in a browser.");
      int status = play(stage);
      if (keep) {
        running.obeySignals();
        stage.tell("");
        stage.tell("It all goes on until Ctrl-C, and can be seen at " + stage.management() + ".");
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

  private int play(DemoStage stage) throws IOException, InterruptedException {
    var play = new DemoPlay(stage);
    for (var act : DemoAct.story()) {
      play.play(act);
    }
    play.sumUp();
    if (output.form() != OutputOption.Form.table) {
      terminal.out().println(output.text(play.result()));
    }
    return play.passed() ? ExitStatus.DONE : ExitStatus.FAILED;
  }
}
