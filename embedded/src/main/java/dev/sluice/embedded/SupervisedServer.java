package dev.sluice.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One server in the hands of the supervisor. Commands are obeyed one after the other; facts are
 * answered at any time.
 */
final class SupervisedServer {

  /** How long the kernel may take to end a killed JVM: it has to give back its memory. */
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final ServerFolder folder;
  private final ServerGuard guard;
  private final ReentrantLock oneCommand = new ReentrantLock(true);
  private volatile @Nullable Run run;
  private volatile boolean ended;

  /** A JVM of this server, alive or not. */
  private record Run(
      Process process,
      Instant startedAt,
      Instant endedAt,
      int number,
      String revision,
      boolean paused) {

    Run asPaused(boolean now) {
      return new Run(process, startedAt, endedAt, number, revision, now);
    }

    Run asEnded(Instant at) {
      return new Run(process, startedAt, at, number, revision, paused);
    }
  }

  SupervisedServer(ServerFolder folder, ServerGuard guard) {
    this.folder = folder;
    this.guard = guard;
  }

  /** Starts a JVM unless one is alive. */
  void start() throws IOException {
    oneCommand.lock();
    try {
      Run last = run;
      if (ended || (last != null && last.process.isAlive())) {
        return;
      }
      String revision = folder.keepAsStarted();
      Process process =
          new ProcessBuilder(JavaArguments.java(), "@" + folder.javaArguments())
              .directory(folder.root().toFile())
              .redirectOutput(Redirect.appendTo(folder.output().toFile()))
              .redirectError(Redirect.appendTo(folder.output().toFile()))
              .start();
      guard.watch(process.pid());
      run =
          new Run(
              process,
              Instant.now(),
              Instant.EPOCH,
              last == null ? 1 : last.number + 1,
              revision,
              false);
      var _ = process.onExit().thenAccept(this::ended);
    } finally {
      oneCommand.unlock();
    }
  }

  /** Asks the JVM to end, and kills it when the limit is over. A paused one is resumed for it. */
  void stop(Duration limit) throws IOException, InterruptedException {
    oneCommand.lock();
    try {
      Run last = run;
      if (last == null || !last.process.isAlive()) {
        return;
      }
      // Not Process.destroy(), which also closes the server's standard input, its sign to end now.
      last.process.toHandle().destroy();
      signal("CONT", false);
      if (!last.process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } finally {
      oneCommand.unlock();
    }
  }

  /** Unless it was started again since it was started so often. */
  void restart(Duration limit, int ifStarts) throws IOException, InterruptedException {
    oneCommand.lock();
    try {
      Run last = run;
      int starts = last == null ? 0 : last.number;
      if (ifStarts != SupervisorRequest.ALWAYS && ifStarts != starts) {
        return;
      }
      stop(limit);
      start();
    } finally {
      oneCommand.unlock();
    }
  }

  /** As {@code kill -9}: works at once, on a paused JVM too, even while a stop is waiting. */
  void kill() throws InterruptedException {
    Run last = run;
    if (last != null) {
      last.process.destroyForcibly();
      if (!last.process.waitFor(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "Expected process %d to end within %s of SIGKILL"
                .formatted(last.process.pid(), KILL_LIMIT));
      }
      // Said before the supervisor may end: the guard must not kill whoever gets the number next.
      guard.forget(last.process.pid());
    }
  }

  /** Kills, and never starts again. */
  void end() throws InterruptedException {
    ended = true;
    kill();
  }

  void pause() throws IOException, InterruptedException {
    signalAlive("STOP", true);
  }

  void resume() throws IOException, InterruptedException {
    signalAlive("CONT", false);
  }

  ServerFacts facts() {
    Run last = run;
    if (last == null) {
      return new ServerFacts(
          folder.id(),
          0,
          false,
          false,
          OptionalInt.empty(),
          Instant.EPOCH,
          Instant.EPOCH,
          0,
          "",
          folder.revision());
    }
    boolean alive = last.process.isAlive();
    return new ServerFacts(
        folder.id(),
        last.process.pid(),
        alive,
        alive && last.paused,
        alive ? OptionalInt.empty() : OptionalInt.of(last.process.exitValue()),
        last.startedAt,
        alive ? Instant.EPOCH : last.endedAt,
        last.number,
        last.revision,
        folder.revision());
  }

  private void ended(Process gone) {
    guard.forget(gone.pid());
    oneCommand.lock();
    try {
      Run last = run;
      if (last != null && last.process.pid() == gone.pid()) {
        run = last.asEnded(Instant.now());
      }
    } finally {
      oneCommand.unlock();
    }
  }

  private void signalAlive(String name, boolean pauses) throws IOException, InterruptedException {
    oneCommand.lock();
    try {
      signal(name, pauses);
    } finally {
      oneCommand.unlock();
    }
  }

  private void signal(String name, boolean pauses) throws IOException, InterruptedException {
    Run last = run;
    if (last == null || !last.process.isAlive()) {
      return;
    }
    String pid = Long.toString(last.process.pid());
    Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + pid).start();
    if (kill.waitFor() != 0 && last.process.isAlive()) {
      throw new IllegalStateException("Expected SIG%s to reach process %s".formatted(name, pid));
    }
    run = last.asPaused(pauses);
    if (pauses) {
      Standstill.await(last.process);
    }
  }
}
