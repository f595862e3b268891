package dev.sluice.lifecycle.quiet;

import dev.sluice.lifecycle.quiet.Pending.Stage;
import dev.sluice.lifecycle.quiet.Request.Kind;

/** When something may follow from time alone. */
final class Rings {

  private Rings() {}

  /** The next such time: the deadline at the latest. */
  static long next(Turn turn) {
    long next = turn.terms.deadline();
    next = sooner(turn, next, turn.terms.grace());
    if (turn.phase == Phase.HALF_CLOSED) {
      return sooner(turn, next, turn.phaseSince() + Bounds.LINGER.toNanos());
    }
    var head = turn.head();
    if (head.filter(each -> Course.answersAtOnce(turn, each)).isPresent()) {
      return turn.at;
    }
    if (head.isPresent()) {
      var stage = head.get().stage();
      if (stage == Stage.HELD) {
        next = sooner(turn, next, head.get().answerAt());
      } else if (stage == Stage.FORWARDED && head.get().request().kind() == Kind.POLL) {
        next = sooner(turn, next, Course.pollsEndBy(turn));
      }
    }
    if (turn.pause instanceof Pause.Running(_, long until)) {
      next = sooner(turn, next, until);
      next = sooner(turn, next, until - Bounds.CLOSE_MARGIN.toNanos() + 1);
    }
    if (turn.phase == Phase.MARKED) {
      next = sooner(turn, next, Course.patienceEndsAt(turn));
    }
    if (turn.isEmpty() && turn.whole) {
      next = sooner(turn, next, Course.idleAt(turn));
      next = sooner(turn, next, Course.silentAt(turn));
    }
    return next;
  }

  /** The sooner of two, as far as it is still to come. */
  private static long sooner(Turn turn, long one, long other) {
    return turn.isPast(other) || other - one > 0 ? one : other;
  }
}
