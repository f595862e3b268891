package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Because;
import dev.sluice.lifecycle.quiet.Client;
import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Pause;
import dev.sluice.lifecycle.quiet.Phase;
import dev.sluice.lifecycle.quiet.QuietAction;
import dev.sluice.lifecycle.quiet.QuietEvent;
import dev.sluice.lifecycle.quiet.QuietEvent.Marked;
import dev.sluice.lifecycle.quiet.QuietEvent.OneWayRead;
import dev.sluice.lifecycle.quiet.QuietEvent.RequestRead;
import dev.sluice.lifecycle.quiet.QuietEvent.ResponseCame;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.lifecycle.quiet.QuietState;
import dev.sluice.lifecycle.quiet.QuietState.Closed;
import dev.sluice.lifecycle.quiet.QuietState.Quieting;
import dev.sluice.lifecycle.quiet.QuietStep;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Decisions that are wrong on purpose, each with the invariant that has to catch it. */
final class QuietMutants {

  /**
   * A wrong decision.
   *
   * @param name what it does wrong
   * @param caughtBy the invariant that has to catch it
   */
  record Mutant(String name, QuietInvariant caughtBy, QuietDecisions decisions) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final long HOUR = 3_600_000_000_000L;
  private static final long MILLIS = 1_000_000L;

  private QuietMutants() {}

  static List<Mutant> all() {
    return List.of(
        actions(
            "what is refused is forwarded too",
            QuietInvariant.NOTHING_IS_FORWARDED_TWICE,
            each -> each instanceof QuietAction.Hold ? new QuietAction.Forward() : each),
        new Mutant(
            "a poll is answered while it is read",
            QuietInvariant.NOTHING_IS_ANSWERED_WHILE_IT_IS_READ,
            (Wrong) (state, event) -> answeringWhileReading(real(state, event), event)),
        actions(
            "a late answer is passed on",
            QuietInvariant.ANSWERS_KEEP_ORDER,
            each -> each instanceof QuietAction.Drop(long n) ? new QuietAction.Pass(n) : each),
        new Mutant(
            "a request is forwarded after the end",
            QuietInvariant.NOTHING_IS_FORWARDED_AFTER_THE_END,
            (AfterEnd) (step, event) -> event instanceof RequestRead ? forwarding(step) : step),
        new Mutant(
            "a one-way request is discarded after the end",
            QuietInvariant.ONE_WAYS_ARE_NEVER_LOST,
            (AfterEnd) (step, event) -> event instanceof OneWayRead ? discarding(step) : step),
        actions(
            "the deadline passes unheard",
            QuietInvariant.CLOSED_BY_THE_DEADLINE,
            each ->
                each instanceof QuietAction.Close ? new QuietAction.RingAt(Long.MAX_VALUE) : each),
        new Mutant(
            "what is unanswered is not counted",
            QuietInvariant.THE_REPORT_IS_THE_CLIENTS_VIEW,
            (Wrong) (state, event) -> uncounted(real(state, event))),
        before(
            "the end is sent without a silence",
            QuietInvariant.HONOURED_PAUSE_CANCELS_NOTHING,
            QuietMutants::silentAlready),
        before(
            "the end is sent when the pause runs out",
            QuietInvariant.HONOURED_PAUSE_CANCELS_NOTHING,
            QuietMutants::pausingLonger),
        new Mutant(
            "every response is stamped",
            QuietInvariant.STAMPS_ARE_FEW,
            (Wrong) (state, event) -> stampingAll(state, event)),
        marks(
            "it is refused from the mark on",
            QuietInvariant.NOTHING_IS_REFUSED_EARLY,
            mark ->
                with(
                    mark,
                    new Terms(
                        mark.terms().way(),
                        mark.terms().pause(),
                        mark.at(),
                        mark.terms().deadline()),
                    mark.client())),
        new Mutant(
            "every other request is forwarded after the grace",
            QuietInvariant.REFUSED_IS_A_SUFFIX,
            (Wrong)
                (state, event) ->
                    state.phase() == Phase.REFUSING
                            && event instanceof RequestRead(_, var request)
                            && request.number() % 2 == 0
                        ? forwarding(real(state, event))
                        : real(state, event)),
        new Mutant(
            "what is held is answered at once",
            QuietInvariant.ANSWERS_ARE_PACED,
            (Wrong) (state, event) -> answeringAtOnce(real(state, event))),
        new Mutant(
            "it is switched while something is in flight",
            QuietInvariant.SWITCHED_IN_STILLNESS,
            (Wrong)
                (state, event) ->
                    event instanceof Marked
                        ? switchingAtOnce(real(state, event))
                        : real(state, event)),
        marks(
            "a share consumer is taken for any other",
            QuietInvariant.SHARE_CONSUMERS_STAY,
            mark ->
                with(
                    mark,
                    mark.terms(),
                    new Client(mark.client().courtesy(), mark.client().roundTrip(), false))),
        marks(
            "every client is suspected",
            QuietInvariant.WHO_PAUSES_IS_READ,
            mark -> with(mark, mark.terms(), Client.UNKNOWN)),
        actions(
            "no response is stamped",
            QuietInvariant.CALM_DRAINS_ARE_NOT_NOTICED,
            each -> each instanceof QuietAction.Stamp(long n, _) ? new QuietAction.Pass(n) : each),
        before(
            "it is never silent",
            QuietInvariant.CALM_DRAINS_ARE_NOT_NOTICED,
            now -> withTimes(now, now.pause(), now.readAt() + HOUR, now.movedAt() + HOUR)),
        before(
            "who cannot be asked is waited for",
            QuietInvariant.CALM_DRAINS_ARE_NOT_NOTICED,
            now ->
                now.phase() == Phase.MARKED && now.oneWays() > 0
                    ? since(now, now.phaseSince() + HOUR)
                    : now),
        marks(
            "everybody is taken for one who does not pause",
            QuietInvariant.CALM_DRAINS_ARE_NOT_NOTICED,
            mark ->
                with(
                    mark,
                    mark.terms(),
                    new Client(Courtesy.IGNORES, mark.client().roundTrip(), false))));
  }

  // ---- kinds of mutants ----------------------------------------------------------------------

  private interface Wrong extends QuietDecisions {
    QuietStep wrong(QuietState state, QuietEvent event);

    @Override
    default QuietStep on(QuietState state, QuietEvent event) {
      return wrong(state, event);
    }
  }

  private interface AfterEnd extends QuietDecisions {
    QuietStep wrong(QuietStep step, QuietEvent event);

    @Override
    default QuietStep on(QuietState state, QuietEvent event) {
      var step = real(state, event);
      return state.phase() == Phase.HALF_CLOSED ? wrong(step, event) : step;
    }
  }

  private static QuietStep real(QuietState state, QuietEvent event) {
    return QuietDecisions.REAL.get().on(state, event);
  }

  private static Mutant actions(
      String name, QuietInvariant caughtBy, UnaryOperator<QuietAction> edit) {
    return new Mutant(name, caughtBy, (Wrong) (state, event) -> edited(real(state, event), edit));
  }

  private static Mutant marks(String name, QuietInvariant caughtBy, UnaryOperator<Marked> edit) {
    return new Mutant(
        name,
        caughtBy,
        (Wrong)
            (state, event) ->
                real(state, event instanceof Marked marked ? edit.apply(marked) : event));
  }

  private static Mutant before(
      String name, QuietInvariant caughtBy, Function<Quieting, QuietState> edit) {
    return new Mutant(
        name,
        caughtBy,
        (Wrong)
            (state, event) -> real(state instanceof Quieting now ? edit.apply(now) : state, event));
  }

  // ---- what they do --------------------------------------------------------------------------

  private static QuietStep edited(QuietStep step, UnaryOperator<QuietAction> edit) {
    return new QuietStep(step.state(), step.actions().stream().map(edit).toList(), step.because());
  }

  private static QuietStep forwarding(QuietStep step) {
    return edited(
        step,
        each ->
            each instanceof QuietAction.Hold || each instanceof QuietAction.Discard
                ? new QuietAction.Forward()
                : each);
  }

  private static QuietStep discarding(QuietStep step) {
    return edited(
        step, each -> each instanceof QuietAction.Forward ? new QuietAction.Discard() : each);
  }

  private static QuietStep uncounted(QuietStep step) {
    return step.state() instanceof Closed(var report)
        ? new QuietStep(
            new Closed(
                new QuietReport(
                    report.outcomes(),
                    report.stamps(),
                    report.earlyAnswers(),
                    report.lateAnswersDropped(),
                    report.refused(),
                    new TreeMap<>(),
                    0,
                    0,
                    0,
                    report.longest())),
            step.actions(),
            step.because())
        : step;
  }

  private static QuietState silentAlready(Quieting now) {
    return now.pause() instanceof Pause.Running(long since, long until)
        ? withTimes(
            now,
            new Pause.Running(since - 300 * MILLIS, until),
            now.readAt() - 300 * MILLIS,
            now.movedAt())
        : now;
  }

  private static QuietState pausingLonger(Quieting now) {
    return now.pause() instanceof Pause.Running(long since, long until)
            && until - since < 300 * MILLIS
        ? withTimes(
            now,
            new Pause.Running(since, until + 200 * MILLIS),
            now.readAt() + 60 * MILLIS,
            now.movedAt())
        : now;
  }

  private static QuietState withTimes(Quieting now, Pause pause, long readAt, long movedAt) {
    return with(now, now.phaseSince(), pause, readAt, movedAt);
  }

  private static QuietState since(Quieting now, long phaseSince) {
    return with(now, phaseSince, now.pause(), now.readAt(), now.movedAt());
  }

  private static QuietState with(
      Quieting now, long phaseSince, Pause pause, long readAt, long movedAt) {
    return new Quieting(
        now.phase(),
        phaseSince,
        now.markedAt(),
        now.terms(),
        now.client(),
        now.inFlight(),
        now.late(),
        now.oneWays(),
        now.whole(),
        now.greeted(),
        now.clientEnded(),
        now.upstreamEnded(),
        pause,
        now.parked(),
        readAt,
        movedAt,
        now.ringAt(),
        now.outcome(),
        now.report());
  }

  private static QuietStep stampingAll(QuietState state, QuietEvent event) {
    var step = real(state, event);
    return state.phase() == Phase.PAUSING
            && event instanceof ResponseCame came
            && came.carriesThrottle()
        ? edited(
            step,
            each ->
                each instanceof QuietAction.Pass(long number)
                    ? new QuietAction.Stamp(number, 100 * MILLIS)
                    : each)
        : step;
  }

  private static QuietStep answeringWhileReading(QuietStep step, QuietEvent event) {
    var actions = new ArrayList<>(step.actions());
    if (event instanceof RequestRead read
        && read.request().kind() == Kind.POLL
        && step.actions().contains(new QuietAction.Forward())
        && step.state() instanceof Quieting now
        && now.inFlight().size() == 1) {
      actions.add(new QuietAction.Answer(read.request().number(), 0));
    }
    return new QuietStep(step.state(), actions, step.because());
  }

  private static QuietStep answeringAtOnce(QuietStep step) {
    var actions = new ArrayList<>(step.actions());
    for (var action : step.actions()) {
      if (action instanceof QuietAction.Hold(long number)
          && step.state() instanceof Quieting now
          && now.inFlight().getFirst().request().number() == number
          && now.inFlight().getFirst().request().kind() != Kind.GROUP_WAIT) {
        actions.add(new QuietAction.Answer(number, 0));
      }
    }
    return new QuietStep(step.state(), actions, step.because());
  }

  private static QuietStep switchingAtOnce(QuietStep step) {
    var actions = new ArrayList<>(step.actions());
    if (step.because() == Because.STILLS) {
      actions.add(new QuietAction.Switch());
    }
    return new QuietStep(step.state(), actions, step.because());
  }

  private static Marked with(Marked mark, Terms terms, Client client) {
    return new Marked(
        mark.at(),
        terms,
        client,
        mark.inFlight(),
        mark.oneWays(),
        mark.movedAt(),
        mark.whole(),
        mark.greeted());
  }
}
