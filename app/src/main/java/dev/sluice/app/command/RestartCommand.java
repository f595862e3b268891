package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice restart}. */
@Command(
    name = "restart",
    description = {
      "Quiesce every connection of a virtual cluster, client by client and node by node, and wait"
          + " until all have gone.",
      "It goes on serving: clients come back at once. What is still there after drainTimeout is"
          + " cut."
    },
    footer = {"", "Examples:", "  sluice restart orders", "  sluice restart orders -o json"})
final class RestartCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterOption cluster = new ClusterOption();

  RestartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return cluster.ask(
        new ClusterOption.Wish("restart", "serving", RestartCommand::isUnderWay, true), terminal);
  }

  private static boolean isUnderWay(JsonNode cluster) {
    return cluster.has("drain");
  }
}
