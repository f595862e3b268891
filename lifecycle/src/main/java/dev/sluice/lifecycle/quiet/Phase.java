package dev.sluice.lifecycle.quiet;

import java.util.Locale;

/** What a connection is doing about going quiet. */
public enum Phase {
  /** Nobody wants it to go quiet. */
  OPEN,
  /** Marked; the handshake and a first answer come first. */
  SHAKING_HANDS,
  /** Marked; waits for a response that can ask for the pause, or for the client to be idle. */
  MARKED,
  /** The client was asked for a pause. What comes all the same is forwarded. */
  PAUSING,
  /** The grace is over: what is read from here on is not forwarded as a matter of course. */
  REFUSING,
  /** The client does not pause, or cannot be served: it is not read, what is in flight ends. */
  UNREAD,
  /** Remains on the old generation: a group that waits, or a share consumer. */
  STAYING,
  /** For the switch in place: not read, what is in flight ends. */
  STILLING,
  /** Nothing is in flight: the switch is being made. */
  STILL,
  /** The new generation is behind it. */
  SWITCHED,
  /** The client was told the end; its own is awaited. */
  HALF_CLOSED,
  /** Over. */
  CLOSED;

  /** As people see it: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
