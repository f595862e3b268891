package dev.sluice.app.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice roll}. */
@Command(
    name = "roll",
    description = {
      "Restart or reconfigure the servers of a Kafka cluster, safely and in as few batches as its"
          + " partitions allow."
    },
    footer = {
      "",
      "Examples:",
      "  sluice roll plan -c roll.yaml",
      "  sluice roll run -c roll.yaml --reason 'new certificates'",
      "  sluice roll serve -c roll.yaml",
      "  sluice roll status -c roll.yaml"
    })
final class RollCommand implements Runnable {

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "Expected one of plan, run, serve and status, found none.");
  }
}
