package dev.sluice.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.util.concurrent.TimeUnit;

/** The JVM with the clients, as the run sees it. It ends when its input does. */
final class LoadProcess implements AutoCloseable {

  private static final int HEAP_MEGABYTES = 768;
  private static final int END_LIMIT_SECONDS = 10;

  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;

  private LoadProcess(Process process) {
    this.process = process;
    this.requests = process.outputWriter();
    this.answers = process.inputReader();
  }

  static LoadProcess start() throws IOException {
    var command = JavaCommand.of(LoadMain.class, "-Xmx" + HEAP_MEGABYTES + "m");
    return new LoadProcess(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
  }

  long pid() {
    return process.pid();
  }

  /**
   * Waits until it is done.
   *
   * @throws IOException if it failed, with what it said
   */
  LoadAnswer ask(LoadRequest request) throws IOException {
    requests.write(request.line() + "\n");
    requests.flush();
    String answer = answers.readLine();
    if (answer == null || !answer.startsWith(LoadMain.DONE)) {
      throw new IOException(
          "Expected '%s' to be done, found: %s"
              .formatted(request.line(), answer == null ? "the clients have ended" : answer));
    }
    return LoadAnswer.parse(answer.substring(LoadMain.DONE.length()));
  }

  @Override
  public void close() {
    try {
      requests.close();
      if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
