package dev.sluice.audit;

/**
 * How much each producer sends. Modest, so that what is seen is the effect of an event and not of a
 * machine that is full.
 *
 * @param recordsPerSecond of each producer
 * @param valueBytes of each record
 */
public record Load(int recordsPerSecond, int valueBytes) {

  public static final Load DEFAULT = new Load(200, 200);

  private static final int MOST_RECORDS_PER_SECOND = 100_000;
  private static final int MOST_VALUE_BYTES = 1_000_000;

  public Load {
    if (recordsPerSecond < 1 || recordsPerSecond > MOST_RECORDS_PER_SECOND) {
      throw new IllegalArgumentException(
          "Expected 1 to %d records per second, found %d"
              .formatted(MOST_RECORDS_PER_SECOND, recordsPerSecond));
    }
    if (valueBytes < 1 || valueBytes > MOST_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "Expected values of 1 to %d bytes, found %d".formatted(MOST_VALUE_BYTES, valueBytes));
    }
  }

  /** A tenth: at this rate a client begins; see {@link WarmUp}. */
  int firstRate() {
    return WarmUp.firstRate(recordsPerSecond);
  }
}
