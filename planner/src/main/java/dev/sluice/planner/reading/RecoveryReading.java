package dev.sluice.planner.reading;

/**
 * What a server's recovery probe says.
 *
 * @param recovering whether the server is replaying its logs after an unclean stop
 * @param logs left to recover, at least 0
 * @param segments left to recover, at least 0
 */
public record RecoveryReading(boolean recovering, int logs, int segments) {

  /** Positively not recovering. */
  public static final RecoveryReading NOT_RECOVERING = new RecoveryReading(false, 0, 0);

  public RecoveryReading {
    if (logs < 0 || segments < 0) {
      throw new IllegalArgumentException(
          "expected counts of at least 0, found "
              + logs
              + " logs, "
              + segments
              + " segments; report a probe that does not know as missing");
    }
  }
}
