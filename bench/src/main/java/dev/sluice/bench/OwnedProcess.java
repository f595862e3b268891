package dev.sluice.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that ends when this JVM ends, in whatever way. A shell stands in between and reads the
 * pipe that only this JVM holds open: at its end the shell ends the program. Ctrl-C, which reaches
 * every process of a terminal, is left to this JVM.
 */
final class OwnedProcess implements AutoCloseable {

  /** {@code $0} is the file for the program's output. */
  private static final String OWNER =
      """
      trap '' INT HUP
      exec 2>/dev/null
      "$@" >"$0" 2>&1 &
      program=$!
      echo $program
      while read -r _; do :; done
      kill $program 2>/dev/null
      wait $program
      """;

  private static final int END_LIMIT_SECONDS = 15;
  private static final int OUTPUT_LINES_TOLD = 20;

  private final Process shell;
  private final ProcessHandle program;
  private final Path output;

  private OwnedProcess(Process shell, ProcessHandle program, Path output) {
    this.shell = shell;
    this.program = program;
    this.output = output;
  }

  /**
   * Starts a program.
   *
   * @param output where its standard output and error go
   */
  static OwnedProcess start(List<String> program, Path output) throws IOException {
    var command = new ArrayList<>(List.of("/bin/sh", "-c", OWNER, output.toString()));
    command.addAll(program);
    Process shell = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    String pid = shell.inputReader().readLine();
    var handle = pid == null ? null : ProcessHandle.of(Long.parseLong(pid.strip())).orElse(null);
    if (handle == null) {
      shell.getOutputStream().close();
      throw new IOException(
          "Expected %s to begin, found that it has ended: %s".formatted(program, told(output)));
    }
    return new OwnedProcess(shell, handle, output);
  }

  boolean isAlive() {
    return program.isAlive();
  }

  long pid() {
    return program.pid();
  }

  /** The last lines that the program wrote. */
  String told() {
    return told(output);
  }

  private static String told(Path output) {
    try {
      List<String> lines = Files.readAllLines(output);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - OUTPUT_LINES_TOLD), lines.size()));
    } catch (IOException e) {
      return "(its output cannot be read: " + e + ")";
    }
  }

  /** Ends the program, at most {@value #END_LIMIT_SECONDS} seconds. */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
      if (!shell.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        program.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      program.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
