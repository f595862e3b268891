package dev.sluice.roller;

import dev.sluice.planner.reading.PlatformReading;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whoever owns the processes of servers. Called by several threads at once; every call may block,
 * heeds interruption, and throws when it cannot tell: what a platform cannot tell is unknown, never
 * fine.
 */
public interface Platform {

  /** What it is, for people: {@code local processes}. */
  String name();

  /**
   * What becomes of a server now.
   *
   * @throws IOException if it cannot be told, with a message that can follow a colon
   */
  PlatformReading look(ServerSpec server) throws IOException, InterruptedException;

  /**
   * Stops a server gracefully, gives it its time, and starts it; starts it when it does not run.
   *
   * @param process the beginning of the process, or of the phase without one, that was decided
   *     upon. When another one runs already, somebody has restarted it and nothing is done: whoever
   *     asks twice, not knowing what became of the first time, restarts once
   * @throws IOException if it could not be asked for, or failed
   */
  void restart(ServerSpec server, Optional<Instant> process)
      throws IOException, InterruptedException;

  /** What a server said last, at most so many lines; empty when the platform cannot tell. */
  List<String> lastWords(ServerSpec server, int most);
}
