package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.configuration.RollFile;
import dev.sluice.app.configuration.RollFile.Outcome.Accepted;
import dev.sluice.app.configuration.RollFile.Outcome.Rejected;
import dev.sluice.app.run.RunningRoll;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice roll status}. */
@Command(
    name = "status",
    description = {
      "Tell what a roll does, by asking it where it serves, or what the journal of the last one"
          + " says."
    },
    footer = {
      "",
      "Examples:",
      "  sluice roll status -c roll.yaml",
      "  sluice roll status --management http://127.0.0.1:9191 --watch"
    })
final class RollStatusCommand implements Callable<Integer> {

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Terminal terminal;
  private final Function<String, Optional<String>> environment;
  @Mixin private final OutputOption output = new OutputOption();

  @ArgGroup(multiplicity = "1")
  private From from = new From();

  @Option(names = "--watch", description = "Go on until Ctrl-C, and tell every change.")
  private boolean watch;

  /** Who is asked. */
  static final class From {
    @Option(
        names = "--management",
        paramLabel = "URL",
        description = "Where a roll serves what it does: see 'roll run --serve'.")
    private java.net.@Nullable URI url;

    @Option(
        names = {"-c", "--config"},
        paramLabel = "FILE",
        description = "The configuration of the roll, whose journal is read.")
    private @Nullable Path file;
  }

  RollStatusCommand(Terminal terminal, Function<String, Optional<String>> environment) {
    this.terminal = terminal;
    this.environment = environment;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (watch) {
      var shown = terminal.interactive() ? new LiveTable(terminal) : new ChangedLines(terminal);
      while (true) {
        shown.show(lines(look()));
        Thread.sleep(BETWEEN_LOOKS);
      }
    }
    var seen = look();
    if (output.form() == OutputOption.Form.table) {
      lines(seen).forEach(terminal.out()::println);
    } else {
      terminal.out().println(output.text(seen));
    }
    return ExitStatus.DONE;
  }

  private JsonNode look() throws InterruptedException {
    if (from.url != null) {
      try (var client = new ManagementClient(from.url, Optional.empty())) {
        return client.get("/api/v1/rolls/current");
      }
    }
    return journal(Optional.ofNullable(from.file).orElseThrow());
  }

  /** The last roll, as its journal has it. */
  private ObjectNode journal(Path file) throws InterruptedException {
    var outcome = new RollFile(ConfigurationSchema.loadRoll(), environment).read(file);
    outcome.findings().forEach(finding -> terminal.err().println(finding.inFile(file.toString())));
    var configuration =
        switch (outcome) {
          case Accepted(var accepted, _) -> accepted;
          case Rejected(_) ->
              throw new CommandFailedException(
                  "Expected a valid configuration, found the errors above; mend them in "
                      + file
                      + ".");
        };
    var last = new ArrayList<JsonNode>();
    try (var running = RunningRoll.open(configuration)) {
      running.readJournal(
          line -> {
            if (line.path("kind").asText().equals("asked")) {
              last.clear();
            }
            last.add(without(line, "remembered"));
          });
    } catch (IOException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
    var node = JsonNodeFactory.instance.objectNode();
    last.forEach(node.putArray("journal")::add);
    return node;
  }

  private static JsonNode without(JsonNode line, String key) {
    ObjectNode copy = new ObjectMapper().createObjectNode();
    line.properties().stream()
        .filter(each -> !each.getKey().equals(key))
        .forEach(each -> copy.set(each.getKey(), each.getValue()));
    return copy;
  }

  private static List<String> lines(JsonNode seen) {
    var lines = new ArrayList<String>();
    if (!seen.has("journal")) {
      lines.add(seen.path("state").asText() + ": " + seen.path("plan").asText());
      seen.path("servers")
          .forEach(
              server ->
                  lines.add(
                      RollTable.plainly(
                          "server "
                              + server.path("server").asText()
                              + " is "
                              + server.path("why").asText()
                              + "; "
                              + server.path("need").asText())));
      return lines;
    }
    if (seen.path("journal").isEmpty()) {
      lines.add("no roll of this cluster is in the journal");
    }
    for (var line : seen.path("journal")) {
      lines.add(RollTable.plainly(line.path("at").asText() + " " + said(line)));
    }
    return lines;
  }

  private static String said(JsonNode line) {
    return switch (line.path("kind").asText()) {
      case "asked" -> "asked for: " + line.path("reason").asText("to be as desired");
      case "acts" -> {
        var said = new ArrayList<String>();
        line.path("targets")
            .properties()
            .forEach(each -> said.add("server " + each.getKey() + ": " + each.getValue().asText()));
        yield String.join("; ", said);
      }
      case "ended" -> line.path("how").asText() + ": " + line.path("sentence").asText();
      default -> line.path("kind").asText();
    };
  }
}
