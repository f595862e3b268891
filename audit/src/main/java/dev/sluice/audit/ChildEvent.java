package dev.sluice.audit;

import dev.sluice.audit.ledger.LogLine;

/** What a client program tells, one line each. */
sealed interface ChildEvent {

  /** A record was given to the client. */
  record Sent(long sequence) implements ChildEvent {}

  /** The client said that it is written. */
  record Acknowledged(long sequence) implements ChildEvent {}

  /** A record was read. */
  record Seen(int partition, String value) implements ChildEvent {}

  /** An error reached the application. */
  record Excepted(String text) implements ChildEvent {}

  /** The client wrote into its log. */
  record Logged(LogLine.Level level, String text) implements ChildEvent {}

  record Rebalanced() implements ChildEvent {}

  /** Everything is answered, and the client left. */
  record Done() implements ChildEvent {}
}
