package dev.sluice.lifecycle.quiet;

/** What was told, and is left unread until reading is resumed; nothing is read behind it. */
public sealed interface Parked {

  /** Nothing. */
  record Nothing() implements Parked {}

  /** A request that gets an answer. */
  record Asking(Request request) implements Parked {}

  /** A request that gets none. */
  record OneWay() implements Parked {}
}
