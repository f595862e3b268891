package dev.sluice.planner;

/**
 * What forbids an action. An exemption names one of these and one server; nothing else skips one.
 */
public enum Rule {
  /** A partition would have fewer in sync than its minimum and the margin. */
  PARTITION_MINIMUM,
  /** The server may be the last that can lead a partition which is below its minimum. */
  ELIGIBLE_LEADER,
  /** The metadata quorum would lose its majority, or has none, or is not known. */
  QUORUM,
  /** Partitions of the server are being moved. */
  REASSIGNMENT,
  /** The server replays its logs. */
  RECOVERING,
  /** The server, or what it needs, is not known. */
  UNKNOWN,
  /** The server is on its way up or catching up. */
  UNSETTLED,
  /** The platform would not let the server be restarted; nothing exempts from it. */
  PLATFORM,
  /** A person froze the server. */
  FROZEN
}
