package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice restart}. */
@Command(
    name = "restart",
    description = {
      "Make everything behind the clients of a virtual cluster anew, with the same configuration,"
          + " and wait until it is.",
      "Clients keep their connections and notice nothing: each gets a connection of its own to its"
          + " broker at a moment when nothing is in flight. One that consumes from a share group"
          + " keeps the one that holds its records. What could not be switched in time is closed"
          + " quietly; what is still there after drainTimeout is cut."
    },
    footer = {
      "",
      "Examples:",
      "  sluice restart orders",
      "  sluice restart orders --close-connections   so that clients spread anew"
    })
final class RestartCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--close-connections",
      description =
          "Close the connections of clients, too: quietly, client by client and node by node. They"
              + " connect anew at once.")
  private boolean closeConnections;

  RestartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    var call = closeConnections ? "restart?closeConnections=true" : "restart";
    return cluster.ask(
        new ClusterOption.Wish(call, "serving", RestartCommand::isUnderWay, true), terminal);
  }

  private static boolean isUnderWay(JsonNode cluster) {
    return cluster.has("drain");
  }
}
