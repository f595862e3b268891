package dev.sluice.roller.platform;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that was run to its end.
 *
 * @param exitStatus as it gave it
 * @param output what it said, standard error included, at most {@link #OUTPUT_MAX_BYTES}
 */
record ProgramRun(int exitStatus, String output) {

  static final int OUTPUT_MAX_BYTES = 64 << 10;

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
      CompletableFuture<String> output = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> read(process.getInputStream(), output));
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(said(command) + " did not end within " + limit);
      }
      return new ProgramRun(process.exitValue(), output.get(1, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the output of " + said(command) + " could not be read", e);
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

  private static void read(InputStream in, CompletableFuture<String> output) {
    try (in) {
      byte[] first = in.readNBytes(OUTPUT_MAX_BYTES);
      in.skip(Long.MAX_VALUE);
      output.complete(new String(first, StandardCharsets.UTF_8));
    } catch (IOException e) {
      output.completeExceptionally(e);
    }
  }

  private static String said(List<String> command) {
    return "'" + String.join(" ", command) + "'";
  }
}
