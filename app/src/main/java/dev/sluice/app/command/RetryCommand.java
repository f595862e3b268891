package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice retry}. */
@Command(
    name = "retry",
    description = {
      "Set up a failed virtual cluster again, with the configuration that it has, and wait for what"
          + " comes of it.",
      "Exit status 0 if it serves, 1 if not."
    },
    footer = {"", "Examples:", "  sluice retry orders", "  sluice retry orders -o json"})
final class RetryCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterOption cluster = new ClusterOption();

  RetryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return cluster.ask(
        new ClusterOption.Wish("retry", "serving", RetryCommand::isUnderWay, false), terminal);
  }

  private static boolean isUnderWay(JsonNode cluster) {
    return cluster.path("state").asText().equals("initializing");
  }
}
