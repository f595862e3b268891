package dev.sluice.roller;

import dev.sluice.planner.reading.RecoveryReading;
import java.io.IOException;

/**
 * Knows whether a server replays its logs. Called by several threads at once; bounded by time-outs
 * of its own.
 */
@FunctionalInterface
public interface RecoveryProbe {

  /** Nobody knows. Then a server that does not serve is never restarted for that alone. */
  RecoveryProbe NONE =
      _ -> {
        throw new IOException("no recovery probe is configured");
      };

  /**
   * Looks.
   *
   * @throws IOException if it cannot be told
   */
  RecoveryReading look(ServerSpec server) throws IOException, InterruptedException;
}
