package dev.sluice.audit;

import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.ClientReport.Reading;
import dev.sluice.audit.ledger.ClientReport.Role;
import dev.sluice.audit.ledger.Occurrences;
import dev.sluice.audit.ledger.SeenLedger;
import dev.sluice.audit.ledger.Window;

/**
 * The book of one reader.
 *
 * @param client its name
 * @param from what it reads
 * @param reading how it reads, and what it saw
 * @param noticed what it was made to notice
 */
record ReaderBook(String client, Channel from, Reading reading, Occurrences noticed)
    implements Book {

  static ReaderBook of(String client, Channel from, Role role, boolean ordered) {
    var reading = new Reading(new SeenLedger(from.written()), role, ordered);
    return new ReaderBook(client, from, reading, new Occurrences());
  }

  /** A record arrived. */
  void saw(int partition, byte[] value) {
    reading.seen().saw(partition, value);
    noticed.progressed(System.nanoTime());
  }

  @Override
  public void enter(Window window) {
    reading.seen().enter(window);
    noticed.enter(window);
  }

  @Override
  public long behind() {
    return reading.seen().behind();
  }

  boolean hasCaughtUp() {
    return reading.seen().missing(from.witness()) == 0;
  }

  ClientReport report() {
    return ClientReport.reader(client, from.witness(), reading, noticed);
  }
}
