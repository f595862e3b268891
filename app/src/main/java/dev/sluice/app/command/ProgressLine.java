package dev.sluice.app.command;

import java.time.Duration;

/** What is waited for: one line that changes for a person, else a line now and then. */
final class ProgressLine {

  private static final String TO_START = "\r\u001b[K";

  /** Between two lines for a log file or another program. */
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

  private final Terminal terminal;
  private String shown = "";
  private long nextLine = System.nanoTime();

  ProgressLine(Terminal terminal) {
    this.terminal = terminal;
  }

  void show(String line) {
    if (line.equals(shown)) {
      return;
    }
    if (terminal.interactive()) {
      shown = line;
      terminal.err().print(TO_START + line);
      terminal.err().flush();
    } else if (System.nanoTime() - nextLine >= 0) {
      shown = line;
      nextLine = System.nanoTime() + BETWEEN_LINES.toNanos();
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
