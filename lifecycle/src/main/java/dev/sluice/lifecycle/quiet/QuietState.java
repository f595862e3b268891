package dev.sluice.lifecycle.quiet;

import java.util.List;
import java.util.Optional;

/** How far a connection is with going quiet. A value. */
public sealed interface QuietState {

  /** The name in tables and views. */
  Phase phase();

  /** Nobody wants it to go quiet. */
  record Open() implements QuietState {
    @Override
    public Phase phase() {
      return Phase.OPEN;
    }
  }

  /**
   * On its way.
   *
   * @param phaseSince when it came into this phase
   * @param inFlight in the order of reading
   * @param late answered in the broker's place while the broker still owes a response
   * @param oneWays how many were read and not yet written upstream
   * @param whole as in {@link QuietEvent.BytesRead}
   * @param greeted whether some request beyond the handshake was answered
   * @param parked what waits for {@link QuietAction.ResumeReading}
   * @param readAt when a byte was last read from the client
   * @param movedAt when a byte was last read from or written to it
   * @param ringAt the time last asked for
   * @param outcome how it ends, once that is known
   * @param report what is counted so far
   */
  record Quieting(
      Phase phase,
      long phaseSince,
      long markedAt,
      Terms terms,
      Client client,
      List<Pending> inFlight,
      List<Pending> late,
      int oneWays,
      boolean whole,
      boolean greeted,
      boolean clientEnded,
      boolean upstreamEnded,
      Pause pause,
      Parked parked,
      long readAt,
      long movedAt,
      long ringAt,
      Optional<Outcome> outcome,
      QuietReport report)
      implements QuietState {
    public Quieting {
      inFlight = List.copyOf(inFlight);
      late = List.copyOf(late);
    }
  }

  /**
   * Switched in place. Goes on like an open one, and can be marked again.
   *
   * @param late as above: a broker's response that is still owed is dropped when it comes
   */
  record Switched(List<Pending> late, QuietReport report) implements QuietState {
    public Switched {
      late = List.copyOf(late);
    }

    @Override
    public Phase phase() {
      return Phase.SWITCHED;
    }
  }

  /** Over, with what it came to. */
  record Closed(QuietReport report) implements QuietState {
    @Override
    public Phase phase() {
      return Phase.CLOSED;
    }
  }
}
