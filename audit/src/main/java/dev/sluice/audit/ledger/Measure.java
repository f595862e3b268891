package dev.sluice.audit.ledger;

/** What is counted. The names are those of the JSON output and of the options. */
public enum Measure {
  SENT("sent", "sent"),
  ACKNOWLEDGED("acknowledged", "acked"),
  SEEN("seen", "seen"),
  /** Acknowledged and never in the log; of a reader: in the log and never delivered. */
  LOST("lost", "lost"),
  /** Again in the log; of a reader: delivered again. */
  DUPLICATED("duplicated", "dup"),
  /** Behind a later record of the same producer in the same partition. */
  REORDERED("reordered", "reord"),
  /** Not the bytes that were sent. */
  CORRUPTED("corrupted", "corr"),
  /** Errors that reached the application: thrown, or given to a callback. */
  EXCEPTIONS("exceptions", "exc"),
  /** Requests that a client had in flight when its connection ended. */
  CANCELLED("cancelled", "canc"),
  WARNINGS("warnings", "warn"),
  ERRORS("errors", "err"),
  DISCONNECTS("disconnects", "disc"),
  REBOOTSTRAPS("rebootstraps", "reboot"),
  REBALANCES("rebalances", "rebal");

  private final String name;
  private final String column;

  Measure(String name, String column) {
    this.name = name;
    this.column = column;
  }

  /**
   * Whether it is about data, which nothing excuses. All else is what clients notice: in the
   * warm-up, when groups form and topics are new, Kafka itself gives them reason to.
   */
  public boolean isOfData() {
    return switch (this) {
      case SENT, ACKNOWLEDGED, SEEN, LOST, DUPLICATED, REORDERED, CORRUPTED -> true;
      default -> false;
    };
  }

  /** The name in JSON and in options. */
  public String shown() {
    return name;
  }

  /** The head of its column in a table. */
  public String column() {
    return column;
  }
}
