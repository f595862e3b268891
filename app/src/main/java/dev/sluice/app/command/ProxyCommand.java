package dev.sluice.app.command;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.configuration.ConfigurationFile.Outcome;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Rejected;
import dev.sluice.app.management.ManagementKeysException;
import dev.sluice.app.reload.FileWatch;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.run.PortInUseException;
import dev.sluice.app.run.RunningProxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice proxy}. */
@Command(
    name = "proxy",
    description = {
      "Run a proxy in the foreground, until Ctrl-C or 'sluice stop'.",
      "The first SIGINT or SIGTERM shuts it down gracefully (exit status 0), the second ends it at"
          + " once. Exit status 1: the policy for failed virtual clusters ended it.",
      "SIGHUP reads the configuration again, as 'sluice reload' does."
    },
    footer = {"", "Example:", "  sluice proxy -c proxy.yaml"})
final class ProxyCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final ConfigurationOption.Reader reader;
  @Mixin private final ConfigurationOption option = new ConfigurationOption();

  ProxyCommand(Terminal terminal, ConfigurationOption.Reader reader) {
    this.terminal = terminal;
    this.reader = reader;
  }

  @Override
  public Integer call() throws InterruptedException {
    var file = option.file();
    // Before it is read: a change in between is one that the watch tells.
    var seen = FileWatch.look(List.of(file));
    var outcome = reader.read(file);
    outcome.findings().forEach(finding -> terminal.err().println(finding.inFile(file.toString())));
    return run(configuration(outcome), new ReloadFiles(reader.reader(), Optional.of(file), seen));
  }

  private Configuration configuration(Outcome outcome) {
    return switch (outcome) {
      case Accepted(var configuration, _) -> configuration;
      case Rejected(_) ->
          throw new CommandFailedException(
              "Expected a valid configuration, found the errors above; mend them in "
                  + option.file()
                  + ".");
    };
  }

  private static int run(Configuration configuration, ReloadFiles files)
      throws InterruptedException {
    try (var running = RunningProxy.start(configuration, files)) {
      running.obeySignals();
      return ended(running);
    } catch (PortInUseException | ManagementKeysException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Waits for the end; the exit status that it means. */
  static int ended(RunningProxy running) throws InterruptedException {
    var how = running.awaitEnd();
    return how.isPresent() && !how.get().byPolicy() ? ExitStatus.DONE : ExitStatus.FAILED;
  }
}
