package dev.sluice.app.command;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code sluice completion}. */
@Command(
    name = "completion",
    description = "Print a script that completes commands and options in bash and zsh.",
    footer = {"", "Example:", "  source <(sluice completion)"})
final class CompletionCommand implements Runnable {

  private final Terminal terminal;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    terminal.out().print(AutoComplete.bash("sluice", CommandLines.of(terminal)));
    terminal.out().flush();
  }
}
