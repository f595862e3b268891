package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice drain}. */
@Command(
    name = "drain",
    description = {
      "Quiesce every connection of a virtual cluster, so that clients notice as little as can be,"
          + " then stop it, and wait until it is.",
      "Clients find nobody until 'sluice start', a change of its configuration, or the next start of the"
          + " proxy. What is still there after drainTimeout is cut."
    },
    footer = {"", "Examples:", "  sluice drain orders", "  sluice drain orders -o json"})
final class DrainCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterOption cluster = new ClusterOption();

  DrainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return cluster.ask(
        new ClusterOption.Wish("drain", "stopped", DrainCommand::isUnderWay, true), terminal);
  }

  private static boolean isUnderWay(JsonNode cluster) {
    return cluster.path("state").asText().equals("draining");
  }
}
