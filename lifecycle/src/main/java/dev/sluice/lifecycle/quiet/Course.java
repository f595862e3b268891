package dev.sluice.lifecycle.quiet;

import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Pending.Stage;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import dev.sluice.lifecycle.quiet.Terms.Way;

/** What follows, once an event is taken in: phases, answers whose turn has come, the end. */
final class Course {

  /** What the wait for stragglers leaves of the shortest pause beside the margin. */
  private static final long LEEWAY = Bounds.SILENCE.toNanos() / 2;

  private Course() {}

  /** The first phase of a connection that is marked. */
  static void begin(Turn turn) {
    if (turn.terms.way().stays()) {
      if (mustStay(turn)) {
        turn.enter(Phase.STAYING, Because.STAYS_FOR_NOW);
      } else {
        turn.stopReading(Phase.STILLING, Because.STILLS);
      }
    } else if (!turn.greeted) {
      turn.enter(Phase.SHAKING_HANDS, Because.HANDSHAKE_FIRST);
    } else if (turn.client.courtesy() == Courtesy.IGNORES) {
      turn.stopReading(Phase.UNREAD, Because.DOES_NOT_PAUSE);
    } else {
      turn.enter(Phase.MARKED, Because.MARKED);
    }
  }

  /** The client has its first answer. */
  static void greet(Turn turn) {
    if (turn.phase == Phase.SHAKING_HANDS) {
      begin(turn);
    }
  }

  static void follow(Turn turn) {
    if (turn.phase == Phase.HALF_CLOSED) {
      endHalfClosed(turn);
    } else if (turn.phase != Phase.CLOSED && turn.phase != Phase.SWITCHED) {
      changePhase(turn);
      turn.head()
          .filter(head -> !turn.isBeingRead(head))
          .ifPresent(head -> answerInTurn(turn, head));
      readOn(turn);
      endIfQuiet(turn);
      endIfOverdue(turn);
    }
    if (turn.phase != Phase.CLOSED && turn.phase != Phase.SWITCHED) {
      turn.ringAt(Rings.next(turn));
    }
  }

  /**
   * Closing the upstream connection of a share consumer gives back the records that it holds. Where
   * that one is kept, its polls are only not cut short: a moment between two of them will do.
   */
  private static boolean mustStay(Turn turn) {
    boolean sharing =
        turn.client.sharing() && (turn.terms.way() == Way.IN_PLACE || !turn.inFlight.isEmpty());
    return sharing
        || turn.inFlight.stream()
            .anyMatch(
                each ->
                    each.request().kind() == Kind.GROUP_WAIT && each.stage() == Stage.FORWARDED);
  }

  /** What a broker still owes on a connection that is kept would keep the client waiting, too. */
  private static boolean hasToEnd(Turn turn) {
    return turn.client.sharing() || turn.terms.way() == Way.BETWEEN;
  }

  private static void changePhase(Turn turn) {
    boolean graceIsOver = turn.isPast(turn.terms.grace());
    if (turn.phase == Phase.STAYING) {
      if (!mustStay(turn)) {
        begin(turn);
      } else if (graceIsOver && hasToEnd(turn)) {
        turn.terms = turn.terms.lastPart();
        begin(turn);
      }
    } else if (turn.isIn(Phase.SHAKING_HANDS, Phase.MARKED, Phase.PAUSING) && graceIsOver) {
      turn.enter(Phase.REFUSING, Because.GRACE_PASSED);
    } else if (turn.phase == Phase.MARKED && turn.pause.left(turn.at) > 0) {
      turn.enter(Phase.PAUSING, Because.STAMPED);
    } else if (turn.phase == Phase.PAUSING && turn.pause.left(turn.at) == 0) {
      turn.enter(Phase.MARKED, Because.MARKED);
    }
  }

  // ---- answers of our own --------------------------------------------------------------------

  private static void answerInTurn(Turn turn, Pending head) {
    if (head.stage() == Stage.HELD && turn.isPast(head.answerAt())) {
      answer(turn, head);
    } else if (head.stage() == Stage.FORWARDED && endsEarly(turn, head)) {
      turn.late.add(head);
      answer(turn, head);
    }
  }

  /** What had to wait for answers of our own goes on. */
  private static void readOn(Turn turn) {
    if (!(turn.parked instanceof Parked.Nothing)
        && !turn.has(Stage.HELD)
        && !turn.isIn(Phase.STILLING, Phase.STILL, Phase.UNREAD)) {
      turn.resumeReading();
    }
  }

  /** What is being read is taken in first, and answered a moment later at the soonest. */
  static boolean answersAtOnce(Turn turn, Pending head) {
    return turn.isBeingRead(head) && head.stage() == Stage.FORWARDED && endsEarly(turn, head);
  }

  private static boolean endsEarly(Turn turn, Pending head) {
    if (head.request().whenLate() != WhenLate.ANSWERED) {
      return false;
    }
    return switch (head.request().kind()) {
      case POLL ->
          !turn.isIn(Phase.STAYING)
              && (turn.isPast(pollsEndBy(turn)) || head.outlasts(pollsEndBy(turn)));
      case GROUP_WAIT -> turn.isPast(turn.terms.grace());
      case ORDINARY, SHARE_POLL, SHARING, HANDSHAKE -> false;
    };
  }

  /** The budget of a poll: short where the client is not read meanwhile. */
  static long pollsEndBy(Turn turn) {
    return turn.isIn(Phase.STILLING, Phase.UNREAD)
        ? turn.phaseSince() + Bounds.IN_PLACE_BUDGET.toNanos()
        : turn.terms.pollsEndBy();
  }

  private static void answer(Turn turn, Pending head) {
    var request = head.request();
    turn.advance(head, Stage.ANSWERING);
    boolean asks =
        request.carriesThrottle()
            && turn.terms.way() == Way.PAUSE_AND_CLOSE
            && (request.isPoll() || turn.needsPause());
    long throttle = asks ? turn.pauseLength() : 0;
    if (asks) {
      turn.pause = new Pause.Asked(request.number(), throttle);
      turn.tally.stamp();
    }
    if (request.isPoll()) {
      turn.tally.earlyAnswer();
    } else {
      turn.tally.refused(request);
    }
    turn.act(
        request.isPoll() ? Because.ENDS_POLL : Because.REFUSES,
        new QuietAction.Answer(request.number(), throttle));
  }

  // ---- the end -------------------------------------------------------------------------------

  private static void endIfQuiet(Turn turn) {
    if (!turn.isEmpty()) {
      endAmongOneWays(turn);
      return;
    }
    if (turn.clientEnded) {
      turn.countUnanswered();
      turn.close(Outcome.CLIENT_LEFT, Because.CLIENT_LEFT);
    } else if (turn.upstreamEnded) {
      turn.finish(Outcome.UPSTREAM_LOST, Because.UPSTREAM_LOST);
    } else if (turn.whole) {
      endWhole(turn);
    }
  }

  /**
   * A client that sends one-way requests without a break is never empty and never asked for
   * anything. It may be told the end at any time: what it has sent is read and forwarded after
   * that, too.
   */
  private static void endAmongOneWays(Turn turn) {
    if (!turn.inFlight.isEmpty() || turn.clientEnded || turn.upstreamEnded) {
      return;
    }
    if (cannotBeAsked(turn)) {
      turn.finish(Outcome.QUIESCED, Because.CANNOT_BE_ASKED);
    } else if (turn.phase == Phase.REFUSING) {
      turn.finish(refusedOrNot(turn), Because.EMPTY);
    }
  }

  private static boolean cannotBeAsked(Turn turn) {
    return turn.phase == Phase.MARKED && turn.isPast(patienceEndsAt(turn));
  }

  /** Until when a marked connection waits for a response that can ask for the pause. */
  static long patienceEndsAt(Turn turn) {
    return turn.phaseSince() + patience(turn);
  }

  private static long patience(Turn turn) {
    return Bounds.PATIENCE_IN_PAUSES * turn.pauseLength();
  }

  private static void endWhole(Turn turn) {
    switch (turn.phase) {
      case STILLING -> turn.enter(Phase.STILL, Because.STILL, new QuietAction.Switch());
      case UNREAD -> turn.finish(Outcome.CLOSED_UNREAD, Because.EMPTY);
      case SHAKING_HANDS, MARKED -> {
        if (turn.isPast(idleAt(turn))) {
          turn.finish(Outcome.QUIESCED, Because.IDLE);
        } else if (cannotBeAsked(turn)) {
          turn.finish(Outcome.QUIESCED, Because.CANNOT_BE_ASKED);
        }
      }
      case PAUSING -> endInPause(turn);
      case REFUSING -> {
        if (pausesWell(turn)) {
          endInPause(turn);
        } else {
          turn.finish(refusedOrNot(turn), Because.EMPTY);
        }
      }
      case OPEN, STAYING, STILL, SWITCHED, HALF_CLOSED, CLOSED -> {}
    }
  }

  private static Outcome refusedOrNot(Turn turn) {
    return turn.tally.hasRefused() ? Outcome.REFUSED_THEN_QUIESCED : Outcome.QUIESCED;
  }

  private static void endInPause(Turn turn) {
    if (turn.pause instanceof Pause.Running(_, long until)
        && turn.isPast(silentAt(turn))
        && until - turn.at >= Bounds.CLOSE_MARGIN.toNanos()) {
      turn.finish(refusedOrNot(turn), Because.SILENT);
    }
  }

  /** After the grace only a client that has sent nothing since it was asked is waited for. */
  static boolean pausesWell(Turn turn) {
    return turn.pause instanceof Pause.Running(long since, long until)
        && until - turn.at >= Bounds.CLOSE_MARGIN.toNanos()
        && turn.readAt - since <= turn.client.stragglers();
  }

  /**
   * When nothing has been read for long enough, and what was on its way must have come: not before
   * the middle of the pause. A client on a busy machine reads of the pause late, and sends until
   * then; it notices the end late, too, and may be awake before that. Both get half of the time.
   */
  static long silentAt(Turn turn) {
    long silent = turn.readAt + Bounds.SILENCE.toNanos();
    if (!(turn.pause instanceof Pause.Running(long since, long until))) {
      return silent;
    }
    long most = until - since - Bounds.CLOSE_MARGIN.toNanos() - LEEWAY;
    long late = Math.max(turn.client.stragglers(), (until - since) / 2);
    long arrived = since + Math.min(late, most);
    return arrived - silent > 0 ? arrived : silent;
  }

  /** When it counts as idle: not just when a pause runs out, for then the client sends. */
  static long idleAt(Turn turn) {
    if (turn.phase == Phase.SHAKING_HANDS) {
      return turn.movedAt + Bounds.HANDSHAKE_PATIENCE.toNanos();
    }
    long since = turn.movedAt;
    if (turn.pause instanceof Pause.Running(_, long until)) {
      long awake = until + turn.client.stragglers();
      since = awake - since > 0 ? awake : since;
    }
    return since + patience(turn);
  }

  private static void endIfOverdue(Turn turn) {
    if (!turn.isPast(turn.terms.deadline())
        || turn.isIn(Phase.HALF_CLOSED, Phase.CLOSED, Phase.SWITCHED)) {
      return;
    }
    boolean cuts =
        !turn.inFlight.isEmpty()
            || turn.oneWays > 0
            || !turn.whole
            || !(turn.parked instanceof Parked.Nothing);
    turn.countLeft();
    turn.close(cuts ? Outcome.FORCED : Outcome.CLOSED_UNREAD, Because.DEADLINE_PASSED);
  }

  private static void endHalfClosed(Turn turn) {
    if (turn.clientEnded && turn.oneWays == 0) {
      turn.close(Outcome.QUIESCED, Because.ENDS_MET);
    } else if (turn.isPast(turn.terms.deadline())) {
      turn.tally.oneWaysLost(turn.oneWays);
      turn.close(Outcome.FORCED, Because.DEADLINE_PASSED);
    } else if (turn.isPast(turn.phaseSince() + Bounds.LINGER.toNanos())) {
      turn.tally.oneWaysLost(turn.oneWays);
      turn.close(Outcome.FORCED, Because.LINGERED);
    }
  }
}
