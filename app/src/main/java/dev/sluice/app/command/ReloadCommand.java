package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice reload}. */
@Command(
    name = "reload",
    description = {
      "Let a running proxy read its configuration file again, and wait for what comes of it.",
      "Exit status 1: errors were found and nothing was touched, or not every virtual cluster came"
          + " to what was asked for."
    },
    footer = {"", "Examples:", "  sluice reload --dry-run", "  sluice reload"})
final class ReloadCommand implements Callable<Integer> {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  /** A reload takes no longer than the longest drain and a little; drains may be long. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Terminal terminal;
  @Mixin private final ManagementOption management = new ManagementOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--dry-run", description = "Only tell what would be done, and why.")
  private boolean dryRun;

  ReloadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    var client = management.client();
    var before = lastNumber(client);
    var result = client.post("/api/v1/reload" + (dryRun ? "?dryRun=true" : ""));
    if (result.path("outcome").asText().equals("running")) {
      result = awaitAfter(client, before);
    }
    if (output.form() == OutputOption.Form.table) {
      ReloadTable.lines(result).forEach(terminal.out()::println);
    } else {
      terminal.out().println(output.text(result));
    }
    return switch (result.path("outcome").asText()) {
      case "applied", "unchanged", "planned" -> ExitStatus.DONE;
      default -> ExitStatus.FAILED;
    };
  }

  private static long lastNumber(ManagementClient client) throws InterruptedException {
    return client.find("/api/v1/reloads/last").map(last -> last.path("number").asLong()).orElse(0L);
  }

  private static JsonNode awaitAfter(ManagementClient client, long before)
      throws InterruptedException {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      var last = client.find("/api/v1/reloads/last");
      if (last.isPresent() && last.get().path("number").asLong() > before) {
        return last.get();
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
    throw new CommandFailedException(
        "Expected the reload to end within " + PATIENCE + ", found that it runs; see its log.");
  }
}
