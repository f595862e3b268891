package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice reload}. */
@Command(
    name = "reload",
    description = {
      "Let a running proxy read its configuration file again, and wait for what comes of it.",
      "With -c the proxy takes that file instead, until it reads its own again: with --dry-run, to"
          + " see what a file would do before it is put in place. The content is sent; paths in it"
          + " are relative to the directory of the proxy's own file.",
      "Exit status 1: errors were found and nothing was touched, or not every virtual cluster came"
          + " to what was asked for."
    },
    footer = {
      "",
      "Examples:",
      "  sluice reload -c next.yaml --dry-run",
      "  sluice reload --dry-run",
      "  sluice reload"
    })
final class ReloadCommand implements Callable<Integer> {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  /** A reload takes no longer than the longest drain and a little; drains may be long. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Terminal terminal;
  @Mixin private final ManagementOption management = new ManagementOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--dry-run", description = "Only tell what would be done, and why.")
  private boolean dryRun;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Send this configuration, instead of letting the proxy read its own file.")
  private @Nullable Path file;

  ReloadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    JsonNode result;
    try (var client = management.client(terminal)) {
      result = result(client);
    }
    if (file != null && result instanceof ObjectNode node) {
      node.put("source", file.toString());
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

  private JsonNode result(ManagementClient client) throws InterruptedException {
    var path = "/api/v1/reload" + (dryRun ? "?dryRun=true" : "");
    var result = client.outcome(path, file == null ? "" : content(file));
    return isRunning(result) ? awaitEnd(client, result.path("number").asLong()) : result;
  }

  private static boolean isRunning(JsonNode result) {
    return result.path("outcome").asText().equals("running");
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new CommandFailedException(
          "Expected a configuration in UTF-8 at " + file + ", found none that can be read.", e);
    }
  }

  private static JsonNode awaitEnd(ManagementClient client, long number)
      throws InterruptedException {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      var now = client.get("/api/v1/reloads/" + number);
      if (!isRunning(now)) {
        return now;
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
    throw new CommandFailedException(
        "Expected reload "
            + number
            + " to end within "
            + PATIENCE
            + ", found that it runs; see GET /api/v1/reloads/"
            + number
            + ".");
  }
}
