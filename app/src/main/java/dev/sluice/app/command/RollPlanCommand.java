package dev.sluice.app.command;

import dev.sluice.app.management.RollJson;
import dev.sluice.app.run.RunningRoll;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice roll plan}. */
@Command(
    name = "plan",
    description = "Tell how every server is, what it needs, and in which batches. Touches nothing.",
    footer = {
      "",
      "Examples:",
      "  sluice roll plan -c roll.yaml",
      "  sluice roll plan -c roll.yaml --reason 'new certificates' -o json"
    })
final class RollPlanCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final RollOption roll;
  @Mixin private final OutputOption output = new OutputOption();

  RollPlanCommand(Terminal terminal, Function<String, Optional<String>> environment) {
    this.terminal = terminal;
    this.roll = new RollOption(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    var wish =
        new RunningRoll.Wish(
            roll.reason(), roll.servers(), roll.maxParallel(), Optional.empty(), false);
    try (var running = RunningRoll.open(roll.configuration(terminal))) {
      return told(running, wish, output, terminal);
    } catch (IOException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Prints what would be done. */
  static int told(
      RunningRoll running, RunningRoll.Wish wish, OutputOption output, Terminal terminal)
      throws IOException, InterruptedException {
    var forecast = running.forecast(wish);
    if (output.form() == OutputOption.Form.table) {
      terminal.out().println("Kafka cluster " + running.clusterId() + ", " + running.platform());
      RollTable.of(forecast).forEach(terminal.out()::println);
    } else {
      terminal.out().println(output.text(RollJson.of(forecast)));
    }
    return ExitStatus.DONE;
  }
}
