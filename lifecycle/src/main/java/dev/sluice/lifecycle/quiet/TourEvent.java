package dev.sluice.lifecycle.quiet;

/** What can happen while the connections of one client are marked node by node. */
public sealed interface TourEvent {

  /** When, in nanoseconds. Never before the one told last. */
  long at();

  /** Another connection of the client is to be marked, in its turn. */
  record Joined(long at, Link link) implements TourEvent {}

  /** A connection of the client is closed. */
  record ConnectionClosed(long at, long connection) implements TourEvent {}

  /** The client has connected to a node anew and got one answer. */
  record ReturnAnswered(long at, int node) implements TourEvent {}

  /** The time that was asked for has come; harmless if it has not. */
  record TimerRang(long at) implements TourEvent {}

  /** All has to be marked sooner. */
  record MarkBySooner(long at, long markBy) implements TourEvent {}
}
