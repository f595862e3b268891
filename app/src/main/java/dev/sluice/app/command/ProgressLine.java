package dev.sluice.app.command;

/** What is waited for: one line that changes for a person, else a line whenever it changes. */
final class ProgressLine {

  private static final String TO_START = "\r\u001b[K";

  private final Terminal terminal;
  private String shown = "";

  ProgressLine(Terminal terminal) {
    this.terminal = terminal;
  }

  void show(String line) {
    if (line.equals(shown)) {
      return;
    }
    shown = line;
    if (terminal.interactive()) {
      terminal.err().print(TO_START + line);
      terminal.err().flush();
    } else {
      terminal.err().println(line);
    }
  }

  /** Nothing is waited for any more. */
  void clear() {
    if (terminal.interactive() && !shown.isEmpty()) {
      terminal.err().print(TO_START);
      terminal.err().flush();
    }
  }
}
