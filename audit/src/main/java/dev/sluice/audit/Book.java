package dev.sluice.audit;

import dev.sluice.audit.ledger.Occurrences;
import dev.sluice.audit.ledger.Window;

/** What is kept of one client. */
sealed interface Book permits Channel, ReaderBook {

  /** The name of the client. */
  String client();

  Occurrences noticed();

  /**
   * How many records were sent after the last one that is known to be written or, of a reader, that
   * it saw.
   */
  long behind();

  /** What comes from now on belongs to this window. */
  void enter(Window window);
}
