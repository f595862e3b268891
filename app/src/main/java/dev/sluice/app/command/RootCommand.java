package dev.sluice.app.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code sluice} itself. */
@Command(
    name = "sluice",
    description = "Change what stands between Kafka and its clients without the clients noticing.",
    footer = {
      "",
      "Examples:",
      "  sluice up                       a Kafka cluster and a proxy to try things with",
      "  sluice validate -c proxy.yaml   everything that is wrong with a configuration",
      "  sluice proxy -c proxy.yaml      the proxy, until Ctrl-C",
      "  sluice status --watch           what a running proxy does",
      "  sluice roll plan -c roll.yaml   how a Kafka cluster would be restarted, and why",
      "",
      "Exit status: 0 done, 1 failed, 2 bad usage, 3 halted for safety."
    })
final class RootCommand implements Runnable {

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Tell the stack trace of a failure, too.")
  private boolean debug;

  /** Without a command: where a newcomer may begin. */
  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "Expected a command, found none. To see it work: 'sluice demo', or 'sluice up' to try it.");
  }

  boolean debug() {
    return debug;
  }
}
