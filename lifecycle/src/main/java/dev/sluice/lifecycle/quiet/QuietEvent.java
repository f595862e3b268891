package dev.sluice.lifecycle.quiet;

import java.util.List;

/** What can happen to a connection that goes quiet. */
public sealed interface QuietEvent {

  /** When it happened, in nanoseconds. Never before the one told last. */
  long at();

  /**
   * It is to go quiet.
   *
   * @param inFlight in the order of reading; each forwarded, answering or answered
   * @param oneWays how many one-way requests were read and not yet written upstream
   * @param movedAt when a byte was last read from or written to the client
   * @param whole as in {@link BytesRead}
   * @param greeted whether the client has had the answer to some request beyond the handshake
   */
  record Marked(
      long at,
      Terms terms,
      Client client,
      List<Pending> inFlight,
      int oneWays,
      long movedAt,
      boolean whole,
      boolean greeted)
      implements QuietEvent {
    public Marked {
      inFlight = List.copyOf(inFlight);
    }
  }

  /** It is to be quiet sooner, or in a stronger way: removal overtook a reload. */
  record TermsTightened(long at, Terms terms) implements QuietEvent {}

  /** The header of a request was read, and nothing of it forwarded. */
  record RequestRead(long at, Request request) implements QuietEvent {}

  /** The header of a request was read that gets no answer. */
  record OneWayRead(long at) implements QuietEvent {}

  /**
   * A burst of reading has ended, or what was parked was told anew.
   *
   * @param whole whether all that was read is requests that were told, and read to their last byte
   */
  record BytesRead(long at, boolean whole) implements QuietEvent {}

  /** One-way requests have left for the broker, to their last byte. */
  record OneWaysWritten(long at, int count) implements QuietEvent {}

  /**
   * The header of a broker's response has come, and nothing of it went to the client.
   *
   * @param carriesThrottle whether the client would pause if asked to in this response
   * @param throttle for how long it asks already, in nanoseconds
   */
  record ResponseCame(long at, long number, boolean carriesThrottle, long throttle)
      implements QuietEvent {}

  /** The last byte of a response, the broker's or the proxy's own, went to the client's channel. */
  record Answered(long at, long number) implements QuietEvent {}

  /** Every response to a request before this number has left for the client's socket. */
  record Written(long at, long upTo) implements QuietEvent {}

  /** The time that was asked for has come; harmless if it has not. */
  record TimerRang(long at) implements QuietEvent {}

  /** The client has sent its last byte. */
  record ClientEnded(long at) implements QuietEvent {}

  /** The client's socket is gone. */
  record ClientLost(long at) implements QuietEvent {}

  /** The broker has sent its last byte, or its socket is gone; not that of a switch. */
  record UpstreamEnded(long at) implements QuietEvent {}

  /**
   * The new generation is behind the connection.
   *
   * @param renewed whether the upstream connection is another one: what a broker still owes on the
   *     former one never comes
   */
  record SwitchMade(long at, boolean renewed) implements QuietEvent {}

  /**
   * The new generation could not be put behind the connection; the old one still is. If that is
   * gone, {@link UpstreamEnded} follows.
   */
  record SwitchFailed(long at) implements QuietEvent {}
}
