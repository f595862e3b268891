package dev.sluice.lifecycle.quiet;

import java.util.Locale;

/** How it ended for one connection. */
public enum Outcome {
  /** Closed in silence: nothing was in flight, and the client was pausing or idle. */
  QUIESCED,
  /** As quiesced, but something was refused before. */
  REFUSED_THEN_QUIESCED,
  /** Switched in place: the client's connection goes on. */
  SWITCHED,
  /** Nothing was in flight, but the client was not read any more and may have sent something. */
  CLOSED_UNREAD,
  /** Closed at the deadline with something in flight. */
  FORCED,
  /** The broker closed. */
  UPSTREAM_LOST,
  /** The client closed by itself. */
  CLIENT_LEFT;

  /** As people and metrics see it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
