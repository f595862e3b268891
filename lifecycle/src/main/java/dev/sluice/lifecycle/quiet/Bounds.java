package dev.sluice.lifecycle.quiet;

import java.time.Duration;

/** The bounds of going quiet. */
public final class Bounds {

  /** For how long a client is asked to send nothing, unless configured. */
  public static final Duration PAUSE = Duration.ofMillis(100);

  /** The shortest pause: less leaves no room for the silence and the margin. */
  public static final Duration MIN_PAUSE = Duration.ofMillis(50);

  /** The longest pause: more is felt. */
  public static final Duration MAX_PAUSE = Duration.ofMillis(200);

  /** How long a client may take to come back to a node, unless configured. */
  public static final Duration RECONNECT_WAIT = Duration.ofMillis(150);

  /**
   * How long a client that is back at a node and was answered there has for taking notice: until
   * then it counts that node as down, and some end when they count all as down.
   */
  public static final Duration RETURN_SETTLES = Duration.ofMillis(50);

  /** The longest that a client is waited for at a node: it is waited for at every node. */
  public static final Duration MAX_RECONNECT_WAIT = Duration.ofSeconds(2);

  /** For how long nothing may have been read before the end is sent within a pause. */
  public static final Duration SILENCE = Duration.ofMillis(10);

  /** How much of the pause must be left when the end is sent. */
  public static final Duration CLOSE_MARGIN = Duration.ofMillis(20);

  /** The most that is kept at the end of the drain for those who are still there. */
  public static final Duration MAX_LAST_PART = Duration.ofSeconds(2);

  /**
   * For how many pauses a response that can ask for one is waited for. A client that has sent
   * nothing for as long is idle.
   */
  public static final int PATIENCE_IN_PAUSES = 5;

  /** How long a poll may go on where the client is not read meanwhile. */
  public static final Duration IN_PLACE_BUDGET = Duration.ofMillis(50);

  /** How long a connection that has not asked anything yet may be silent, once marked. */
  public static final Duration HANDSHAKE_PATIENCE = Duration.ofSeconds(1);

  /** How long an end that was sent waits for the client's own. */
  public static final Duration LINGER = Duration.ofSeconds(5);

  private Bounds() {}
}
