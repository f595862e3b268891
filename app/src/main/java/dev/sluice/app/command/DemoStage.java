package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.run.RunningProxy;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.protocol.Endpoint;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a story is played: a running proxy, what is behind it, and somebody who listens.
 *
 * @param configuration that the proxy began with
 * @param kafka behind it
 */
record DemoStage(
    RunningProxy running, Configuration configuration, EmbeddedCluster kafka, Terminal terminal) {

  void tell(String line) {
    terminal.out().println(line);
  }

  /** Where clients of a virtual cluster begin. */
  String bootstrapServers(String cluster) {
    return bootstrap(cluster).toString();
  }

  /** The bootstrap port of a virtual cluster. */
  int port(String cluster) {
    return bootstrap(cluster).port();
  }

  private Endpoint bootstrap(String cluster) {
    var view = running.proxy().virtualCluster(cluster).orElseThrow();
    return view.spec().gateways().getFirst().bootstrapAddress();
  }

  /** Where the management API is. */
  String management() {
    return "http://127.0.0.1:" + running.managementPort();
  }

  /** What the management API makes of this configuration. */
  JsonNode reload(String text) throws InterruptedException {
    try (var client = new ManagementClient(URI.create(management()), Optional.empty())) {
      return client.post("/api/v1/reload", text);
    }
  }

  /** Runs a command of this program as a person would; whether it ended with that status. */
  boolean runs(int expected, String... command) {
    tell("$ sluice " + String.join(" ", command));
    var arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of("--management", management()));
    int status = CommandLines.of(terminal).execute(arguments.toArray(String[]::new));
    if (status != expected) {
      tell("Expected exit status " + expected + ", found " + status + ".");
    }
    return status == expected;
  }
}
