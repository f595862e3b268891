package dev.sluice.app.command;

import dev.sluice.app.run.RunningProxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where a story is played: a running proxy, and somebody who listens. */
final class DemoStage {

  private final RunningProxy running;
  private final Terminal terminal;

  DemoStage(RunningProxy running, Terminal terminal) {
    this.running = running;
    this.terminal = terminal;
  }

  void tell(String line) {
    terminal.out().println(line);
  }

  /** The bootstrap port of a virtual cluster. */
  int port(String cluster) {
    var view = running.proxy().virtualCluster(cluster).orElseThrow();
    return view.spec().gateways().getFirst().bootstrapAddress().port();
  }

  /** Runs a command of this program as a person would; whether it ended with that status. */
  boolean runs(int expected, String... command) {
    tell("$ sluice " + String.join(" ", command));
    var arguments = new ArrayList<>(List.of(command));
    arguments.addAll(Arrays.asList("--management", "http://127.0.0.1:" + running.managementPort()));
    int status = CommandLines.of(terminal).execute(arguments.toArray(String[]::new));
    if (status != expected) {
      tell("Expected exit status " + expected + ", found " + status + ".");
    }
    return status == expected;
  }
}
