package dev.sluice.app.command;

import java.util.List;

/** A table that changes in place, for a person at a terminal. */
final class LiveTable implements Watch {

  private final Terminal terminal;
  private int shown;

  LiveTable(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void show(List<String> lines) {
    if (shown > 0) {
      terminal.out().print("\u001b[" + shown + "A\u001b[J");
    }
    lines.forEach(terminal.out()::println);
    shown = lines.size();
  }
}
