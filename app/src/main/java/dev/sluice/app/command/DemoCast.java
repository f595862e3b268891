package dev.sluice.app.command;

import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import java.util.List;

/**
 * Who plays in the story of one virtual cluster, and what they may notice.
 *
 * @param clients as {@code sluice audit} takes them
 * @param says what is to be known of what they noticed
 */
record DemoCast(String cluster, String clients, Limits limits, String says) {

  /** One that never stops serving, and one that is stopped for some seconds. */
  static List<DemoCast> all() {
    // Five requests in flight and no idempotence notice most; groups of both protocols take part.
    return List.of(
        new DemoCast(
            "orders",
            "java-classic,java-idempotent",
            Limits.DEFAULT
                .with(Measure.CANCELLED, 0)
                .with(Measure.REBOOTSTRAPS, 0)
                .with(Measure.REBALANCES, 0),
            "which served all the time"),
        new DemoCast(
            "payments",
            "java-consumer,java-plain",
            Limits.DEFAULT.with(Measure.EXCEPTIONS, Long.MAX_VALUE),
            "which was stopped for a while: that cannot be hidden, but nothing may be lost"));
  }
}
