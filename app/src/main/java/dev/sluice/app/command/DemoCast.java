package dev.sluice.app.command;

import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import java.util.List;

/**
 * Who plays in one act for one virtual cluster, and what they may notice.
 *
 * @param clients as {@code sluice audit} takes them
 * @param says what is to be known of what they noticed
 */
record DemoCast(String cluster, String clients, Limits limits, String says) {

  /** What never may happen to data, and nothing else. */
  private static final Limits DATA = Limits.DEFAULT.with(Measure.EXCEPTIONS, Long.MAX_VALUE);

  /** Before one that never stops serving, and one that is stopped for some seconds. */
  static List<DemoCast> whileTheProxyChanges() {
    // Five requests in flight and no idempotence notice most; groups of both protocols take part.
    return List.of(
        new DemoCast(
            "orders",
            "java-classic,java-idempotent",
            // The Java client has its callback repeat a commit that falls into its back-off before
            // it
            // connects again, and asks again for itself when a poll was cut.
            DATA.with(Measure.REBOOTSTRAPS, 0).with(Measure.REBALANCES, 0),
            "which served all the time: what a client has to repeat is told and not judged"),
        new DemoCast(
            "payments",
            "java-consumer,java-plain",
            DATA,
            "which was stopped for a while: that cannot be hidden, but nothing may be lost"));
  }

  /** Before brokers that come and go. */
  static List<DemoCast> whileKafkaChanges() {
    // Without idempotence Kafka itself may write a record twice when its leader moves.
    var says =
        "whose brokers were restarted: what Kafka's clients repeat by themselves then is told and"
            + " not judged, only data is";
    return List.of(
        new DemoCast("orders", "java-idempotent", DATA, says),
        new DemoCast("payments", "java-consumer", DATA, says));
  }
}
