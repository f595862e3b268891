package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice retry}. */
@Command(
    name = "retry",
    description = "Set up a failed virtual cluster again, with the configuration that it has.",
    footer = {"", "Example:", "  sluice retry orders"})
final class RetryCommand implements Callable<Integer> {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  /**
   * How long to wait for what comes of it; a set-up takes longer only when names do not resolve.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Terminal terminal;
  @Mixin private final ManagementOption management = new ManagementOption();

  @Parameters(paramLabel = "NAME", description = "The virtual cluster.")
  private String name = "";

  RetryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    var client = management.client();
    var cluster = "/api/v1/virtual-clusters/" + UrlText.encoded(name);
    var seen = client.post(cluster + "/retry");
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (state(seen).equals("initializing") && System.nanoTime() - end < 0) {
      Thread.sleep(BETWEEN_LOOKS);
      seen = client.get(cluster);
    }
    var told = name + " is " + state(seen) + ": " + seen.path("reason").path("message").asText();
    if (state(seen).equals("failed")) {
      throw new CommandFailedException(told);
    }
    terminal.out().println(told);
    return ExitStatus.DONE;
  }

  private static String state(JsonNode cluster) {
    return cluster.path("state").asText();
  }
}
