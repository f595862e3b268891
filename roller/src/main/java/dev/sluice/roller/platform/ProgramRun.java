package dev.sluice.roller.platform;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that was run to its end.
 *
 * @param exitStatus as it gave it
 * @param output what it said, standard error included, at most {@link #OUTPUT_MAX_BYTES}
 */
record ProgramRun(int exitStatus, String output) {

  static final int OUTPUT_MAX_BYTES = 64 << 10;

  private static final Duration REST_OF_OUTPUT = Duration.ofSeconds(1);
  private static final int SAID_MAX_CHARACTERS = 300;

  /**
   * Runs it.
   *
   * @param limit after which it is killed, with everything that it started
   * @throws IOException if it cannot be run or takes longer
   */
  static ProgramRun of(List<String> command, Duration limit)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      Thread reading = Thread.ofVirtual().start(() -> read(process.getInputStream(), output));
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(said(command) + " did not end within " + limit);
      }
      // Whom it left behind may keep its output open for ever: a server that it started.
      boolean _ = reading.join(REST_OF_OUTPUT);
      return new ProgramRun(process.exitValue(), output.toString(StandardCharsets.UTF_8));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** What it said, if it went well. */
  String checked(List<String> command) throws IOException {
    if (exitStatus != 0) {
      throw new IOException(
          said(command)
              + " ended with status "
              + exitStatus
              + ": "
              + output
                  .strip()
                  .substring(0, Math.min(SAID_MAX_CHARACTERS, output.strip().length())));
    }
    return output;
  }

  private static void read(InputStream in, ByteArrayOutputStream output) {
    byte[] some = new byte[4 << 10];
    try (in) {
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        output.write(some, 0, Math.min(read, OUTPUT_MAX_BYTES - output.size()));
      }
    } catch (IOException _) {
      // What was read counts; how it ended says the rest.
    }
  }

  private static String said(List<String> command) {
    return "'" + String.join(" ", command) + "'";
  }
}
