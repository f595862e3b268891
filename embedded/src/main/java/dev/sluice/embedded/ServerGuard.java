package dev.sluice.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A shell that is told the process ids of all servers and kills what is left of them when its
 * supervisor is no more, however that ended. A server ends by itself then, too, but not if it is
 * paused: only another process can end it.
 *
 * <p>Thread-safe.
 */
final class ServerGuard implements AutoCloseable {

  private static final String SCRIPT =
      """
      trap '' INT HUP TERM
      folder=$1
      shift
      pids=" $* "
      while read -r op pid; do
        case $op in
          +) pids="$pids$pid " ;;
          -) pids="${pids%% $pid *} ${pids#* $pid }" ;;
        esac
      done
      for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
      for try in 1 2 3 4 5; do
        [ -n "$folder" ] && [ -e "$folder" ] || exit 0
        rm -rf -- "$folder" 2>/dev/null || sleep 1
      done
      """;

  /** How often a guard that somebody killed is replaced. */
  private static final int MOST_GUARDS = 10;

  private final String removedAtEnd;
  private final Set<Long> watched = new TreeSet<>();
  private @Nullable Process shell;
  private int guards;
  private boolean closed;

  /**
   * @param removedAtEnd a folder to remove when the supervisor is no more; empty for none
   */
  ServerGuard(String removedAtEnd) throws IOException {
    this.removedAtEnd = removedAtEnd;
    begin();
  }

  synchronized void watch(long pid) {
    if (watched.add(pid)) {
      tell("+ " + pid);
    }
  }

  synchronized void forget(long pid) {
    if (watched.remove(pid)) {
      tell("- " + pid);
    }
  }

  /** Ends the guard, which kills what is still watched and removes the folder. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (shell != null) {
      shell.getOutputStream().close();
    }
  }

  private synchronized void begin() throws IOException {
    if (closed || guards == MOST_GUARDS) {
      return;
    }
    guards++;
    var command =
        new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sluice-server-guard", removedAtEnd));
    // Not told afterwards: the supervisor may be killed before it has said anything.
    watched.forEach(pid -> command.add(Long.toString(pid)));
    shell =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var _ = shell.onExit().thenRun(this::beginAgain);
  }

  private void beginAgain() {
    try {
      begin();
    } catch (IOException e) {
      System.err.println("No guard for the servers: " + e.getMessage());
    }
  }

  private void tell(String line) {
    if (shell == null) {
      return;
    }
    try {
      OutputStream out = shell.getOutputStream();
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
    } catch (IOException _) {
      // The guard ended; the next one is told everything.
    }
  }
}
