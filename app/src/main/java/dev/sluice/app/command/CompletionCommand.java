package dev.sluice.app.command;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice completion}. */
@Command(
    name = "completion",
    description = "Print a script that completes commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(sluice completion)               # bash",
      "  source <(sluice completion zsh)",
      "  sluice completion fish > ~/.config/fish/completions/sluice.fish"
    })
final class CompletionCommand implements Runnable {

  /** One script is for the first two. */
  private enum Shell {
    bash,
    zsh,
    fish
  }

  private final Terminal terminal;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "One of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Shell shell = Shell.bash;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    var all = CommandLines.of(terminal);
    terminal
        .out()
        .print(
            switch (shell) {
              case bash, zsh -> AutoComplete.bash("sluice", all);
              case fish -> FishCompletion.of(all);
            });
    terminal.out().flush();
  }
}
