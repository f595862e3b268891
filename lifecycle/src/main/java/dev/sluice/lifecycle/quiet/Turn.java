package dev.sluice.lifecycle.quiet;

import dev.sluice.lifecycle.quiet.Pending.Stage;
import dev.sluice.lifecycle.quiet.QuietState.Closed;
import dev.sluice.lifecycle.quiet.QuietState.Quieting;
import dev.sluice.lifecycle.quiet.QuietState.Switched;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One step while it is being worked out: what changes is changed in place, and becomes a value at
 * the {@link #end}. Lives for one call of {@link Quiescing#on}.
 */
final class Turn {

  final long at;
  final long markedAt;
  final List<Pending> inFlight;
  final List<Pending> late;
  final List<QuietAction> actions = new ArrayList<>();
  final Tally tally;

  Phase phase;
  Terms terms;
  Client client;
  Pause pause;
  Parked parked;
  int oneWays;
  boolean whole;
  boolean greeted;
  boolean clientEnded;
  boolean upstreamEnded;
  long readAt;
  long movedAt;

  private long phaseSince;
  private long ringAt;
  private OptionalLong beingRead = OptionalLong.empty();
  private Optional<Outcome> outcome;
  private Because because = Because.NOTED;

  Turn(Quieting now, long at) {
    this.at = at;
    markedAt = now.markedAt();
    inFlight = new ArrayList<>(now.inFlight());
    late = new ArrayList<>(now.late());
    phase = now.phase();
    terms = now.terms();
    client = now.client();
    pause = now.pause();
    parked = now.parked();
    oneWays = now.oneWays();
    whole = now.whole();
    greeted = now.greeted();
    clientEnded = now.clientEnded();
    upstreamEnded = now.upstreamEnded();
    readAt = now.readAt();
    movedAt = now.movedAt();
    phaseSince = now.phaseSince();
    ringAt = now.ringAt();
    outcome = now.outcome();
    tally = new Tally(now.report());
  }

  Turn(QuietEvent.Marked marked, List<Pending> late) {
    at = marked.at();
    markedAt = at;
    inFlight = new ArrayList<>(marked.inFlight());
    this.late = new ArrayList<>(late);
    phase = Phase.OPEN;
    terms = marked.terms();
    client = marked.client();
    pause = new Pause.None();
    parked = new Parked.Nothing();
    oneWays = marked.oneWays();
    whole = marked.whole();
    greeted = marked.greeted();
    readAt = marked.movedAt();
    movedAt = marked.movedAt();
    phaseSince = at;
    ringAt = at;
    outcome = Optional.empty();
    tally = new Tally(QuietReport.NONE);
  }

  // ---- asking --------------------------------------------------------------------------------

  boolean isPast(long time) {
    return at - time >= 0;
  }

  boolean isIn(Phase one, Phase... others) {
    return phase == one || List.of(others).contains(phase);
  }

  long phaseSince() {
    return phaseSince;
  }

  /** For how long this client is asked to pause. */
  long pauseLength() {
    return client.pause(terms);
  }

  /** Whether another pause has to be asked for. */
  boolean needsPause() {
    return pause.left(at) < pauseLength() / 2;
  }

  /** Whether nothing is in flight that can still be answered. */
  boolean isEmpty() {
    return oneWays == 0 && inFlight.stream().allMatch(each -> each.stage() == Stage.ABANDONED);
  }

  /** The request whose turn it is to be answered. */
  Optional<Pending> head() {
    return inFlight.stream().filter(each -> each.stage() != Stage.ANSWERED).findFirst();
  }

  /** Whether this is the request of which the step tells what becomes of it. */
  boolean isBeingRead(Pending entry) {
    return beingRead.isPresent() && beingRead.getAsLong() == entry.request().number();
  }

  boolean has(Stage stage) {
    return inFlight.stream().anyMatch(each -> each.stage() == stage);
  }

  Optional<Pending> find(long number) {
    return inFlight.stream().filter(each -> each.request().number() == number).findFirst();
  }

  // ---- deciding ------------------------------------------------------------------------------

  void reads(Request request) {
    beingRead = OptionalLong.of(request.number());
  }

  void note(Because why) {
    because = why;
  }

  void act(Because why, QuietAction action) {
    because = why;
    actions.add(action);
  }

  void enter(Phase next, Because why) {
    phase = next;
    phaseSince = at;
    because = why;
  }

  void enter(Phase next, Because why, QuietAction action) {
    enter(next, why);
    actions.add(action);
  }

  void stopReading(Phase next, Because why) {
    enter(next, why, new QuietAction.StopReading());
  }

  void take(Request request, Stage stage, long answerAt) {
    inFlight.add(new Pending(request, stage, at, answerAt));
  }

  void advance(Pending entry, Stage next) {
    inFlight.set(inFlight.indexOf(entry), entry.at(next));
  }

  /** Nothing from here on can be answered: answers keep the order of requests. */
  void abandonUnanswered() {
    inFlight.replaceAll(each -> each.stage() == Stage.ANSWERED ? each : each.at(Stage.ABANDONED));
  }

  /** The end is sent: everything that could be answered was. */
  void finish(Outcome how, Because why) {
    countUnanswered();
    if (!whole && oneWays == 0) {
      tally.endedWithinRequest();
    }
    outcome = Optional.of(how);
    parked = new Parked.Nothing();
    enter(Phase.HALF_CLOSED, why, new QuietAction.SendEnd());
  }

  /** What is left gets no answer any more. */
  void countLeft() {
    countUnanswered();
    tally.oneWaysLost(oneWays);
    switch (parked) {
      case Parked.Asking asking -> tally.unanswered(asking.request());
      case Parked.OneWay _ -> tally.oneWaysLost(1);
      case Parked.Nothing _ -> {}
    }
    if (!whole) {
      tally.endedWithinRequest();
    }
  }

  /** Both sockets are closed, whatever is left. */
  void close(Outcome how, Because why) {
    if (outcome.isEmpty()) {
      outcome = Optional.of(how);
    }
    enter(Phase.CLOSED, why);
    actions.add(new QuietAction.Close());
  }

  void switched() {
    outcome = Optional.of(Outcome.SWITCHED);
    enter(Phase.SWITCHED, Because.SWITCHED);
    resumeReading();
  }

  /** Leaves what was just told unread. */
  void park(Parked what, Because why) {
    parked = what;
    act(why, new QuietAction.Park());
  }

  /** What was parked will be told: until then it is not whole, and nobody is to blame for it. */
  void resumeReading() {
    if (!(parked instanceof Parked.Nothing)) {
      whole = false;
      pause = pause.unreadUntil(at);
      parked = new Parked.Nothing();
    }
    actions.add(new QuietAction.ResumeReading());
  }

  /** Asks for a time, unless an earlier one will come anyway. */
  void ringAt(long next) {
    if (isPast(ringAt) || next - ringAt < 0) {
      ringAt = next;
      actions.add(new QuietAction.RingAt(next));
    }
  }

  // ---- counting ------------------------------------------------------------------------------

  /** What is in flight gets no answer any more. */
  void countUnanswered() {
    inFlight.forEach(each -> tally.unanswered(each.request()));
    inFlight.clear();
  }

  private QuietReport concluded() {
    return tally.concluded(outcome, Duration.ofNanos(at - markedAt));
  }

  /** The step as a value. */
  QuietStep end() {
    QuietState next =
        switch (phase) {
          case CLOSED -> new Closed(concluded());
          case SWITCHED -> new Switched(late, concluded());
          case OPEN,
              SHAKING_HANDS,
              MARKED,
              PAUSING,
              REFUSING,
              UNREAD,
              STAYING,
              STILLING,
              STILL,
              HALF_CLOSED ->
              quieting();
        };
    return new QuietStep(next, actions, because);
  }

  private Quieting quieting() {
    return new Quieting(
        phase,
        phaseSince,
        markedAt,
        terms,
        client,
        inFlight,
        late,
        oneWays,
        whole,
        greeted,
        clientEnded,
        upstreamEnded,
        pause,
        parked,
        readAt,
        movedAt,
        ringAt,
        outcome,
        tally.report());
  }
}
