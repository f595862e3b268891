package dev.sluice.app;

import dev.sluice.app.command.CommandLines;
import dev.sluice.app.command.Terminal;

/** Where the program begins. */
public final class Sluice {

  private Sluice() {}

  /** Runs one command and ends with its exit status. */
  public static void main(String[] arguments) {
    System.exit(CommandLines.of(Terminal.ofThisProcess()).execute(arguments));
  }
}
