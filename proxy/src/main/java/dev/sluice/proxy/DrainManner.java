package dev.sluice.proxy;

/**
 * How connections are brought to their end. Only the first is for use; the others are there to
 * measure what it is worth.
 */
public enum DrainManner {
  /** Node by node, each asked to pause, and closed in the silence. */
  QUIET,
  /** All at once: not read any more, what is in flight is answered, then each is closed. */
  UNREAD,
  /** All at once, whatever is in flight. */
  AT_ONCE
}
