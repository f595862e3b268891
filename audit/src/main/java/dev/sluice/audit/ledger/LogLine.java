package dev.sluice.audit.ledger;

/**
 * One line of a client's log.
 *
 * @param level how grave the client takes it
 * @param logger the last part of the name of the logger
 * @param thread the thread that wrote it
 * @param text the message, filled in
 */
public record LogLine(Level level, String logger, String thread, String text) {

  /** How grave a line is. */
  public enum Level {
    INFO,
    WARN,
    ERROR
  }
}
