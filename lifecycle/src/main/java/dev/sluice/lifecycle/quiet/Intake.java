package dev.sluice.lifecycle.quiet;

import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Pending.Stage;
import dev.sluice.lifecycle.quiet.QuietEvent.ResponseCame;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import dev.sluice.lifecycle.quiet.Terms.Way;

/** Takes an event in: what was read is forwarded, held, or not; what came is passed or stamped. */
final class Intake {

  private Intake() {}

  static void take(Turn turn, QuietEvent event) {
    switch (event) {
      case QuietEvent.Marked marked -> tighten(turn, marked.terms());
      case QuietEvent.TermsTightened tightened -> tighten(turn, tightened.terms());
      case QuietEvent.RequestRead read -> request(turn, read.request());
      case QuietEvent.OneWayRead _ -> oneWay(turn);
      case QuietEvent.BytesRead read -> {
        moved(turn);
        turn.whole = read.whole();
      }
      case QuietEvent.OneWaysWritten written -> {
        turn.oneWays = Math.max(0, turn.oneWays - written.count());
        greet(turn);
      }
      case ResponseCame came -> response(turn, came);
      case QuietEvent.Answered answered ->
          turn.find(answered.number())
              .filter(each -> each.stage() == Stage.ANSWERING)
              .ifPresent(each -> turn.advance(each, Stage.ANSWERED));
      case QuietEvent.Written written -> written(turn, written.upTo());
      case QuietEvent.TimerRang _ -> {}
      case QuietEvent.ClientEnded _ -> turn.clientEnded = true;
      case QuietEvent.ClientLost _ -> turn.close(Outcome.CLIENT_LEFT, Because.CLIENT_LEFT);
      case QuietEvent.UpstreamEnded _ -> upstreamEnded(turn);
      case QuietEvent.SwitchMade made -> switchMade(turn, made.renewed());
      case QuietEvent.SwitchFailed _ -> switchFailed(turn);
    }
  }

  private static void moved(Turn turn) {
    turn.readAt = turn.at;
    turn.movedAt = turn.at;
  }

  private static void tighten(Turn turn, Terms terms) {
    var before = turn.terms.way();
    turn.terms = turn.terms.tightenedBy(terms);
    turn.note(Because.TIGHTENED);
    if (before.stays() && !turn.terms.way().stays()) {
      if (turn.phase == Phase.STILLING) {
        turn.resumeReading();
      }
      if (turn.isIn(Phase.STILLING, Phase.STAYING)) {
        Course.begin(turn);
      }
    }
  }

  // ---- what was read -------------------------------------------------------------------------

  private static void request(Turn turn, Request request) {
    turn.reads(request);
    if (turn.isIn(Phase.STILLING, Phase.STILL)) {
      turn.park(new Parked.Asking(request), Because.STILLS);
      return;
    }
    boolean offends = offends(turn);
    moved(turn);
    if (request.isSharing()) {
      turn.client = turn.client.seenSharing();
    }
    switch (turn.phase) {
      case SHAKING_HANDS, MARKED, PAUSING -> admit(turn, request);
      case REFUSING -> admitLate(turn, request);
      case OPEN, SWITCHED, STAYING, STILLING, STILL, UNREAD -> forward(turn, request);
      case HALF_CLOSED, CLOSED -> {
        turn.act(Because.OVER, new QuietAction.Discard());
        turn.tally.unanswered(request);
      }
    }
    if (offends && turn.phase == Phase.PAUSING) {
      turn.stopReading(Phase.UNREAD, Because.DOES_NOT_PAUSE);
    }
  }

  /** Sent, as far as can be known, after the client knew that it should not. */
  private static boolean offends(Turn turn) {
    return turn.phase == Phase.PAUSING
        && turn.client.courtesy() == Courtesy.UNKNOWN
        && turn.pause instanceof Pause.Running(long since, long until)
        && !turn.isPast(until)
        && turn.isPast(since + turn.client.stragglers());
  }

  private static void admit(Turn turn, Request request) {
    long pollsEndBy = turn.terms.pollsEndBy();
    boolean answerable = request.whenLate() == WhenLate.ANSWERED;
    boolean outlasts = request.isPoll() && turn.at + request.maxWait() - pollsEndBy > 0;
    boolean stuck = turn.late.stream().anyMatch(each -> each.outlasts(pollsEndBy));
    if (answerable && request.isPoll() && (outlasts || stuck)) {
      hold(turn, request, turn.pauseLength() / 2, Because.HELD_POLL);
    } else if (answerable && stuck) {
      turn.enter(Phase.REFUSING, Because.REFUSES);
      admitLate(turn, request);
    } else {
      forward(turn, request);
    }
  }

  /** From the first refusal on, so that what is refused is a suffix of the connection. */
  private static void admitLate(Turn turn, Request request) {
    switch (request.whenLate()) {
      case ANSWERED -> hold(turn, request, turn.pauseLength(), Because.REFUSES);
      case FORWARDED -> forward(turn, request);
      case CLOSED -> {
        turn.take(request, Stage.ABANDONED, turn.at);
        turn.act(Because.CANNOT_BE_REFUSED, new QuietAction.Discard());
        turn.stopReading(Phase.UNREAD, Because.CANNOT_BE_REFUSED);
      }
    }
  }

  private static void forward(Turn turn, Request request) {
    if (turn.upstreamEnded || turn.has(Stage.ABANDONED)) {
      turn.take(request, Stage.ABANDONED, turn.at);
      turn.act(Because.OVER, new QuietAction.Discard());
    } else if (turn.has(Stage.HELD)) {
      turn.park(new Parked.Asking(request), Because.WAITS_FOR_HELD);
      turn.actions.add(new QuietAction.StopReading());
    } else {
      turn.take(request, Stage.FORWARDED, turn.at);
      turn.act(Because.NOTED, new QuietAction.Forward());
    }
  }

  private static void hold(Turn turn, Request request, long delay, Because why) {
    turn.take(request, Stage.HELD, turn.at + delay);
    turn.act(why, new QuietAction.Hold(request.number()));
  }

  /** What is not forwarded of these is lost: the client takes it for done when it has sent it. */
  private static void oneWay(Turn turn) {
    if (turn.isIn(Phase.STILLING, Phase.STILL)) {
      turn.park(new Parked.OneWay(), Because.STILLS);
      return;
    }
    moved(turn);
    if (turn.upstreamEnded || turn.phase == Phase.CLOSED) {
      turn.tally.oneWaysLost(1);
      turn.act(Because.OVER, new QuietAction.Discard());
    } else {
      turn.oneWays++;
      turn.act(Because.NOTED, new QuietAction.Forward());
    }
  }

  // ---- what came -----------------------------------------------------------------------------

  private static void response(Turn turn, ResponseCame came) {
    var entry = turn.find(came.number()).filter(each -> each.stage() == Stage.FORWARDED);
    if (entry.isEmpty()) {
      if (turn.late.removeIf(each -> each.request().number() == came.number())) {
        turn.tally.lateAnswerDropped();
      }
      turn.act(Because.NOTED, new QuietAction.Drop(came.number()));
      return;
    }
    turn.advance(entry.get(), Stage.ANSWERING);
    if (entry.get().request().kind() != Kind.HANDSHAKE) {
      greet(turn);
    }
    if (mayStamp(turn, came)) {
      long length = Math.max(turn.pauseLength(), came.throttle());
      turn.pause = new Pause.Asked(came.number(), length);
      turn.tally.stamp();
      turn.act(Because.STAMPED, new QuietAction.Stamp(came.number(), length));
    } else {
      if (came.carriesThrottle() && came.throttle() > turn.pause.left(turn.at)) {
        turn.pause = new Pause.Asked(came.number(), came.throttle());
      }
      turn.act(Because.NOTED, new QuietAction.Pass(came.number()));
    }
  }

  private static void greet(Turn turn) {
    turn.greeted = true;
    Course.greet(turn);
  }

  private static boolean mayStamp(Turn turn, ResponseCame came) {
    return turn.isIn(Phase.MARKED, Phase.PAUSING, Phase.REFUSING)
        && came.carriesThrottle()
        && came.throttle() < turn.pauseLength()
        && turn.client.courtesy() != Courtesy.IGNORES
        && !turn.clientEnded
        && turn.needsPause();
  }

  private static void written(Turn turn, long upTo) {
    turn.movedAt = turn.at;
    turn.inFlight.removeIf(
        each -> each.stage() == Stage.ANSWERED && each.request().number() < upTo);
    turn.pause = turn.pause.written(upTo, turn.at);
  }

  // ---- what ended ----------------------------------------------------------------------------

  private static void upstreamEnded(Turn turn) {
    if (turn.phase == Phase.STILL || turn.upstreamEnded) {
      return;
    }
    turn.upstreamEnded = true;
    turn.late.clear();
    turn.tally.oneWaysLost(turn.oneWays);
    turn.oneWays = 0;
    turn.abandonUnanswered();
    if (!turn.isIn(Phase.HALF_CLOSED, Phase.CLOSED)) {
      turn.stopReading(Phase.UNREAD, Because.UPSTREAM_LOST);
    }
  }

  private static void switchMade(Turn turn, boolean renewed) {
    if (turn.phase != Phase.STILL) {
      return;
    }
    if (renewed) {
      turn.late.clear();
    }
    if (turn.terms.way().stays()) {
      turn.switched();
    } else {
      turn.resumeReading();
      Course.begin(turn);
    }
  }

  /** What is behind it stays, so the client can be asked to come back elsewhere. */
  private static void switchFailed(Turn turn) {
    if (turn.phase == Phase.STILL) {
      turn.terms = turn.terms.by(Way.PAUSE_AND_CLOSE);
      turn.resumeReading();
      Course.begin(turn);
    }
  }
}
