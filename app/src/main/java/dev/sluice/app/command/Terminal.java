package dev.sluice.app.command;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err failures and progress
 * @param interactive whether a person looks at {@code out}: colours and lines that change are
 *     welcome
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean interactive) {

  /** Standard output and error of this process. */
  public static Terminal ofThisProcess() {
    var onTerminal = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    var interactive = onTerminal && System.getenv("NO_COLOR") == null;
    return new Terminal(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        interactive);
  }
}
