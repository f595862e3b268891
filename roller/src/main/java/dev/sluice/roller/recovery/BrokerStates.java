package dev.sluice.roller.recovery;

import dev.sluice.planner.reading.RecoveryReading;
import java.io.IOException;

/**
 * What the number of Kafka's {@code kafka.server:type=KafkaServer,name=BrokerState} means here. A
 * broker of a KRaft cluster can replay its logs before it has told the controller that it caught
 * up, and is then in the state of one that starts: it is known by the logs that are left.
 *
 * @see <a href="https://kafka.apache.org/documentation/#monitoring">Kafka's monitoring</a>
 */
final class BrokerStates {

  private static final int NOT_RUNNING = 0;
  private static final int STARTING = 1;
  private static final int RECOVERY = 2;
  private static final int SHUTTING_DOWN = 7;

  private BrokerStates() {}

  /** Whether a server in this state may be replaying, so that what is left has to be known. */
  static boolean mayReplay(int state) {
    return state == STARTING;
  }

  static RecoveryReading reading(int state, int logs, int segments) throws IOException {
    if (state < NOT_RUNNING || state > SHUTTING_DOWN) {
      throw new IOException("expected a broker state of 0 to 7, found " + state);
    }
    boolean replays = state == RECOVERY || (state == STARTING && (logs > 0 || segments > 0));
    return replays
        ? new RecoveryReading(true, Math.max(0, logs), Math.max(0, segments))
        : RecoveryReading.NOT_RECOVERING;
  }
}
