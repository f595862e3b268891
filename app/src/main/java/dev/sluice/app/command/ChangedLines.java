package dev.sluice.app.command;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The lines that are new, for a log file or another program. */
final class ChangedLines implements Watch {

  private final Terminal terminal;
  private Set<String> shown = Set.of();

  ChangedLines(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void show(List<String> lines) {
    lines.stream().filter(line -> !shown.contains(line)).forEach(terminal.out()::println);
    shown = new HashSet<>(lines);
  }
}
