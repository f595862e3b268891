package dev.sluice.audit;

import dev.sluice.audit.ledger.Occurrences;
import dev.sluice.audit.ledger.Window;

/** What is kept of one client. */
sealed interface Book permits Channel, ReaderBook {

  /** The name of the client. */
  String client();

  Occurrences noticed();

  /** What comes from now on belongs to this window. */
  void enter(Window window);
}
