package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice status}. */
@Command(
    name = "status",
    description = "Tell what the virtual clusters of a running proxy do, since when and why.",
    footer = {
      "",
      "Examples:",
      "  sluice status",
      "  sluice status orders -o json",
      "  sluice status --watch"
    })
final class StatusCommand implements Callable<Integer> {

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Terminal terminal;
  @Mixin private final ManagementOption management = new ManagementOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "One virtual cluster only.")
  private @Nullable String name;

  @Option(names = "--watch", description = "Go on until Ctrl-C, and tell every change.")
  private boolean watch;

  StatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    JsonNode seen;
    try (var client = management.client(terminal)) {
      if (watch) {
        watch(client);
      }
      seen = look(client);
    }
    if (output.form() == OutputOption.Form.table) {
      lines(seen).forEach(terminal.out()::println);
    } else {
      terminal.out().println(output.text(seen));
    }
    return ExitStatus.DONE;
  }

  /** Ends only by a signal, or when the proxy no longer answers. */
  private void watch(ManagementClient client) throws InterruptedException {
    var watch = terminal.interactive() ? new LiveTable(terminal) : new ChangedLines(terminal);
    while (true) {
      watch.show(lines(look(client)));
      Thread.sleep(BETWEEN_LOOKS);
    }
  }

  private JsonNode look(ManagementClient client) throws InterruptedException {
    return client.get(
        Optional.ofNullable(name)
            .map(n -> "/api/v1/virtual-clusters/" + UrlText.encoded(n))
            .orElse("/api/v1/virtual-clusters"));
  }

  private List<String> lines(JsonNode seen) {
    var clusters = new ArrayList<JsonNode>();
    if (seen.has("virtualClusters")) {
      seen.get("virtualClusters").forEach(clusters::add);
    } else {
      clusters.add(seen);
    }
    var lines =
        new ArrayList<>(
            StatusTable.lines(clusters, Clock.systemUTC().instant(), terminal.interactive()));
    if (name != null) {
      lines.addAll(TlsText.lines(seen));
    }
    if (seen.has("configuration")) {
      lines.add(origin(seen.get("configuration")));
    }
    return lines;
  }

  private static String origin(JsonNode configuration) {
    return "Configuration from "
        + configuration.path("source").asText()
        + " since "
        + configuration.path("since").asText()
        + (configuration.path("complete").asBoolean(true)
            ? ""
            : "; not all of it is in force, see GET /api/v1/reloads/last");
  }
}
