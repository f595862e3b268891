package dev.sluice.audit;

import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Occurrences;
import dev.sluice.audit.ledger.SeenLedger;
import dev.sluice.audit.ledger.Window;
import dev.sluice.audit.ledger.WrittenLedger;

/**
 * A topic that one producer alone writes, and its books.
 *
 * @param topic the topic
 * @param written what its producer wrote
 * @param witness what the audit finds in it at the end
 * @param noticed what the producer was made to notice
 */
record Channel(String topic, WrittenLedger written, SeenLedger witness, Occurrences noticed)
    implements Book {

  static Channel of(String topic, String producer) {
    var written = new WrittenLedger(producer);
    return new Channel(topic, written, new SeenLedger(written), new Occurrences());
  }

  @Override
  public String client() {
    return written.producer();
  }

  /** The record was acknowledged. */
  void acknowledged(long sequence) {
    written.acknowledged(sequence);
    noticed.progressed(System.nanoTime());
  }

  @Override
  public void enter(Window window) {
    written.enter(window);
    noticed.enter(window);
  }

  @Override
  public long behind() {
    return written.unanswered();
  }

  ClientReport report() {
    return ClientReport.producer(witness, noticed);
  }
}
