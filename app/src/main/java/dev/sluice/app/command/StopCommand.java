package dev.sluice.app.command;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice stop}. */
@Command(
    name = "stop",
    description = "Shut a running proxy down gracefully, and wait until it is gone.",
    footer = {"", "Example:", "  sluice stop"})
final class StopCommand implements Callable<Integer> {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private final Terminal terminal;
  @Mixin private final ManagementOption management = new ManagementOption();

  StopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var client = management.client(terminal)) {
      stop(client);
    }
    terminal.out().println("The proxy has stopped.");
    return ExitStatus.DONE;
  }

  private static void stop(ManagementClient client) throws InterruptedException {
    var limit = Duration.parse(client.post("/api/v1/stop").path("within").asText("PT60S"));
    var end = System.nanoTime() + limit.plusSeconds(5).toNanos();
    while (client.isThere()) {
      if (System.nanoTime() - end > 0) {
        throw new CommandFailedException(
            "Expected the proxy to be gone within "
                + limit
                + ", found that it still answers; look at its log.");
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
  }
}
