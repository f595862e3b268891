package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice start}. */
@Command(
    name = "start",
    description = {
      "Begin a new life of a virtual cluster that was drained, with the configuration that it had,"
          + " and wait for what comes of it.",
      "Exit status 0 if it serves, 1 if not."
    },
    footer = {"", "Examples:", "  sluice start orders", "  sluice start orders -o json"})
final class StartCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterOption cluster = new ClusterOption();

  StartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return cluster.ask(
        new ClusterOption.Wish("start", "serving", StartCommand::isUnderWay, false), terminal);
  }

  private static boolean isUnderWay(JsonNode cluster) {
    return cluster.path("state").asText().equals("initializing");
  }
}
