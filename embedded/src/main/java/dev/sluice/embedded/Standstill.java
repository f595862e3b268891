package dev.sluice.embedded;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * That a process which was told to stop has stopped. The signal reaches one of its threads, and the
 * others run on until that one had its turn: on a machine that is full, for a while.
 */
final class Standstill {

  /** The longest that threads may take to have their turn. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Duration LOOK_EVERY = Duration.ofMillis(2);

  /** Stopped, by a signal or by a debugger, and gone. */
  private static final String STILL = "TtZX";

  private Standstill() {}

  /** Waits until no thread of it runs; where the kernel does not tell, not at all. */
  static void await(Process process) throws InterruptedException {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    long end = System.nanoTime() + LIMIT.toNanos();
    while (process.isAlive() && !isReached(threads)) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "Expected process %d to stop within %s of SIGSTOP".formatted(process.pid(), LIMIT));
      }
      Thread.sleep(LOOK_EVERY);
    }
  }

  private static boolean isReached(Path threads) {
    if (!Files.isDirectory(threads)) {
      return true;
    }
    try (var each = Files.newDirectoryStream(threads)) {
      for (Path thread : each) {
        if (!isStill(thread)) {
          return false;
        }
      }
      return true;
    } catch (IOException | DirectoryIteratorException _) {
      return false; // One ended meanwhile: another look tells.
    }
  }

  /** The state follows the name, which is in parentheses and may have any in it. */
  private static boolean isStill(Path thread) throws IOException {
    String status = Files.readString(thread.resolve("stat"));
    return STILL.indexOf(status.charAt(status.lastIndexOf(')') + 2)) >= 0;
  }
}
