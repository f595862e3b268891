package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A supervisor that this process started and whose standard input it holds open: when this process
 * is no more, however it ended, the supervisor reads the end of it.
 */
final class SupervisorProcess {

  private static final Duration BEGIN_LIMIT = Duration.ofSeconds(30);
  private static final Duration END_LIMIT = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  private final ClusterFolder folder;
  private final Process process;

  private SupervisorProcess(ClusterFolder folder, Process process) {
    this.folder = folder;
    this.process = process;
  }

  /**
   * Starts a supervisor that ignores Ctrl-C and a closed terminal, as its servers will: both reach
   * every process of a terminal at once, and it is the owner who decides what they mean.
   */
  static SupervisorProcess start(ClusterFolder folder, boolean temporary) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "sluice-supervisor"));
    command.addAll(JavaArguments.supervisor(folder, temporary));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.appendTo(folder.supervisorLog().toFile()))
            .redirectError(Redirect.appendTo(folder.supervisorLog().toFile()))
            .start();
    return new SupervisorProcess(folder, process);
  }

  /** Waits until it can be asked. */
  SupervisorClient client() throws InterruptedException {
    long deadline = System.nanoTime() + BEGIN_LIMIT.toNanos();
    while (!Files.exists(folder.supervisorAddress())) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Expected the supervisor of the servers to begin within %s, found %s; see %s: %s"
                .formatted(BEGIN_LIMIT, process, folder.supervisorLog(), said()));
      }
      Thread.sleep(LOOK_EVERY);
    }
    return new SupervisorClient(SupervisorAddress.read(folder.supervisorAddress()));
  }

  /** Ends it and all its servers: by the end of its input, and by SIGKILL after a limit. */
  void end() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private String said() {
    try {
      return Files.readString(folder.supervisorLog());
    } catch (IOException e) {
      return e.toString();
    }
  }
}
