package dev.sluice.app.command;

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

  private final Terminal terminal;
  @Mixin private final ManagementOption management = new ManagementOption();

  @Parameters(paramLabel = "NAME", description = "The virtual cluster.")
  private String name = "";

  RetryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    var answer =
        management.client().post("/api/v1/virtual-clusters/" + UrlText.encoded(name) + "/retry");
    terminal
        .out()
        .println(
            name
                + " is "
                + answer.path("state").asText()
                + ": "
                + answer.path("reason").path("message").asText());
    return ExitStatus.DONE;
  }
}
