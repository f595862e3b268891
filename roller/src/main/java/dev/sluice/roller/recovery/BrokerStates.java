package dev.sluice.roller.recovery;

import dev.sluice.planner.reading.RecoveryReading;
import java.io.IOException;

/**
 * What the number of Kafka's {@code kafka.server:type=KafkaServer,name=BrokerState} means here.
 *
 * @see <a href="https://kafka.apache.org/documentation/#monitoring">Kafka's monitoring</a>
 */
final class BrokerStates {

  private static final int NOT_RUNNING = 0;
  private static final int SHUTTING_DOWN = 7;
  private static final int RECOVERY = 2;

  private BrokerStates() {}

  static RecoveryReading reading(int state, int logs, int segments) throws IOException {
    if (state < NOT_RUNNING || state > SHUTTING_DOWN) {
      throw new IOException("expected a broker state of 0 to 7, found " + state);
    }
    return state == RECOVERY
        ? new RecoveryReading(true, Math.max(0, logs), Math.max(0, segments))
        : RecoveryReading.NOT_RECOVERING;
  }
}
