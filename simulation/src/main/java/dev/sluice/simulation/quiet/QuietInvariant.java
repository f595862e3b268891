package dev.sluice.simulation.quiet;

import dev.sluice.simulation.InvariantBroken;
import java.util.function.Supplier;

/** What must hold after every event, whatever went wrong. */
public enum QuietInvariant {
  /** What was refused was never with the broker, and nothing goes there twice. */
  NOTHING_IS_FORWARDED_TWICE,
  /** A client gets one answer for each request, in the order of requests. */
  ANSWERS_KEEP_ORDER,
  /** After the end was sent no request that gets an answer is forwarded. */
  NOTHING_IS_FORWARDED_AFTER_THE_END,
  /** At the deadline the connection is closed, or switched. */
  CLOSED_BY_THE_DEADLINE,
  /** The report counts as unanswered what the client has no answer for. */
  THE_REPORT_IS_THE_CLIENTS_VIEW,
  /** A one-way request that was read reaches the broker, if there still is one. */
  ONE_WAYS_ARE_NEVER_LOST,
  /** A client that pauses has nothing in flight when the end comes in its pause. */
  HONOURED_PAUSE_CANCELS_NOTHING,
  /** No response asks for a pause while half of the last one is left. */
  STAMPS_ARE_FEW,
  /** Before the grace is over nothing is refused, unless it is stuck behind an ended poll. */
  NOTHING_IS_REFUSED_EARLY,
  /** Once something was refused nothing of its kind is forwarded any more. */
  REFUSED_IS_A_SUFFIX,
  /** What was never forwarded is not answered at once: some clients would spin. */
  ANSWERS_ARE_PACED,
  /** What is being read is taken in before it is answered. */
  NOTHING_IS_ANSWERED_WHILE_IT_IS_READ,
  /** The switch is made while nothing is in flight. */
  SWITCHED_IN_STILLNESS,
  /** A share consumer is not switched in place. */
  SHARE_CONSUMERS_STAY,
  /** A client that is known to pause is read, unless nothing could be answered. */
  WHO_PAUSES_IS_READ,
  /** Without faults a drain ends before the grace is over, with nothing cancelled. */
  CALM_DRAINS_ARE_NOT_NOTICED;

  InvariantBroken broken(String found) {
    return new InvariantBroken(name(), found);
  }

  void require(boolean holds, Supplier<String> found) {
    if (!holds) {
      throw broken(found.get());
    }
  }
}
