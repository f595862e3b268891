package dev.sluice.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An arm that clients can go through.
 *
 * @param bootstrapServers where they go
 * @param process what is measured; null where nothing stands in between
 */
record RunningArm(Arm arm, String bootstrapServers, @Nullable OwnedProcess process)
    implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** Waits until the process listens on the port. */
  static RunningArm awaited(Arm arm, OwnedProcess process, int port)
      throws InterruptedException, IOException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!listens(port)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        String told = process.told();
        process.close();
        throw new IOException(
            "Expected %s to listen on port %d within %s, found that it does not; it said: %s"
                .formatted(arm.label(), port, START_LIMIT, told));
      }
      Thread.sleep(LOOK_EVERY);
    }
    return new RunningArm(arm, "127.0.0.1:" + port, process);
  }

  private static boolean listens(int port) {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** The id of its process; 0 where nothing stands in between. */
  long pid() {
    return process == null ? 0 : process.pid();
  }

  /** Memory of its process, in bytes; empty where nothing stands in between. */
  OptionalLong resident() throws IOException {
    return process == null ? OptionalLong.empty() : OptionalLong.of(ProcessReading.resident(pid()));
  }

  /** Has a JVM collect what nobody needs any more; of others, nothing. */
  void collectGarbage() throws IOException, InterruptedException {
    if (process != null && arm.isJava()) {
      var command = List.of(JavaCommand.COLLECTOR, Long.toString(pid()), "GC.run");
      int status =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (status != 0) {
        throw new IOException("Expected %s to end with 0, found %d".formatted(command, status));
      }
    }
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
