package dev.sluice.audit.ledger;

/** When something happened. A run goes through them in this order and never back. */
public enum Window {
  /** Clients connect and groups form; pauses mean nothing yet. */
  WARMING,
  /** Load without an event: what happens anyway. */
  BASELINE,
  /** From the event to the end of the run. */
  EVENT;

  /** As people read it. */
  public String shown() {
    return switch (this) {
      case WARMING -> "warm-up";
      case BASELINE -> "baseline";
      case EVENT -> "event";
    };
  }
}
