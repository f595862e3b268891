package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Client;
import dev.sluice.lifecycle.quiet.Pending;
import dev.sluice.lifecycle.quiet.Quiescing;
import dev.sluice.lifecycle.quiet.QuietAction;
import dev.sluice.lifecycle.quiet.QuietEvent;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.lifecycle.quiet.QuietState;
import dev.sluice.lifecycle.quiet.Request;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.protocol.Throttle;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hosts the going quiet of one connection: tells it what happens, and obeys. It is there from the
 * mark on, until the connection is closed or switched. Belongs to the connection's event loop.
 */
final class QuietHost {

  /** What becomes of a request whose header was read. */
  enum Verdict {
    FORWARD,
    /** It is kept whole; the proxy will answer it. */
    HOLD,
    /** It is read to its end and forgotten. */
    DISCARD,
    /** It stays unread. */
    PARK
  }

  /** What becomes of a response, in milliseconds of a pause to stamp; else one of these. */
  static final int PASS = 0;

  static final int DROP = -1;

  private final ClientConnection connection;
  private final Queue<QuietEvent> untold = new ArrayDeque<>(2);

  private QuietState state = Quiescing.OPEN;
  private boolean telling;
  private @Nullable Future<?> timer;
  private Verdict verdict = Verdict.FORWARD;
  private int throttleMillis = PASS;

  /** Who served before the switch, until that is told. */
  private @Nullable Generation former;

  QuietHost(ClientConnection connection) {
    this.connection = connection;
  }

  /** Whether it goes quiet, and has not yet. */
  boolean isUnderWay() {
    return state instanceof QuietState.Quieting;
  }

  /** What it came to, once it is over; else what is counted so far. */
  QuietReport report() {
    return switch (state) {
      case QuietState.Open _ -> QuietReport.NONE;
      case QuietState.Quieting now -> now.report();
      case QuietState.Switched now -> now.report();
      case QuietState.Closed now -> now.report();
    };
  }

  /** The connection is to go quiet; if it is on its way, sooner or in a stronger way. */
  void mark(Terms terms, boolean whole, boolean greeted) {
    long now = System.nanoTime();
    if (isUnderWay()) {
      tell(new QuietEvent.TermsTightened(now, terms));
      return;
    }
    tell(
        new QuietEvent.Marked(
            now,
            terms,
            client(),
            inFlight(),
            connection.brokerSide().oneWayPending(),
            connection.movedAt(),
            whole,
            greeted));
  }

  private Client client() {
    var client = connection.introduction().describe(connection.client());
    boolean asked = connection.generation().spec().drain().manner() != DrainManner.UNREAD;
    return asked ? client : client.thatIgnoresPauses();
  }

  private List<Pending> inFlight() {
    var inFlight = connection.inFlight();
    var list = new ArrayList<Pending>();
    for (long at = inFlight.writtenPosition(); at < inFlight.nextPosition(); at++) {
      var stage =
          inFlight.isAnswered(at)
              ? Pending.Stage.ANSWERED
              : at < inFlight.duePosition() ? Pending.Stage.ANSWERING : Pending.Stage.FORWARDED;
      list.add(Pending.of(Requests.of(at, inFlight), stage, inFlight.askedAt(at)));
    }
    return list;
  }

  // ---- what is told --------------------------------------------------------------------------

  /** The header of a request was read. */
  Verdict requestRead(Request request) {
    return judge(new QuietEvent.RequestRead(System.nanoTime(), request));
  }

  /** The header of a request was read that gets no answer. */
  Verdict oneWayRead() {
    return judge(new QuietEvent.OneWayRead(System.nanoTime()));
  }

  /** What was read is taken in: what follows from that may be told. */
  void takenIn() {
    if (!telling) {
      tellUntil(null);
    }
  }

  void bytesRead(boolean whole) {
    tell(new QuietEvent.BytesRead(System.nanoTime(), whole));
  }

  void oneWaysWritten(int count) {
    tell(new QuietEvent.OneWaysWritten(System.nanoTime(), count));
  }

  /** The header of a response has come; returns milliseconds to stamp, {@link #PASS} or DROP. */
  int responseCame(long number, short key, short version) {
    boolean carries = Throttle.carried(key, version) && Throttle.honoured(key, version);
    tell(new QuietEvent.ResponseCame(System.nanoTime(), number, carries, 0));
    return throttleMillis;
  }

  void answered(long number) {
    tell(new QuietEvent.Answered(System.nanoTime(), number));
  }

  void written(long upTo) {
    tell(new QuietEvent.Written(System.nanoTime(), upTo));
  }

  void clientEnded() {
    tell(new QuietEvent.ClientEnded(System.nanoTime()));
  }

  void clientLost() {
    tell(new QuietEvent.ClientLost(System.nanoTime()));
    cancelTimer();
  }

  void upstreamEnded() {
    tell(new QuietEvent.UpstreamEnded(System.nanoTime()));
  }

  /** An event that comes up while another one is obeyed waits for its turn. */
  private void tell(QuietEvent event) {
    untold.add(event);
    if (!telling) {
      tellUntil(null);
    }
  }

  /** What comes up while it is obeyed waits until what was read is taken in: {@link #takenIn}. */
  private Verdict judge(QuietEvent reading) {
    untold.add(reading);
    if (telling) {
      throw new IllegalStateException("expected nothing to be read while " + state + " is obeyed");
    }
    tellUntil(reading);
    return verdict;
  }

  /** Tells what is untold, this one last; all of it if there is none. */
  private void tellUntil(@Nullable QuietEvent last) {
    telling = true;
    try {
      for (var next = untold.poll(); next != null; next = untold.poll()) {
        take(next);
        if (next.equals(last)) {
          return;
        }
      }
    } finally {
      telling = false;
    }
  }

  private void take(QuietEvent event) {
    var step = Quiescing.on(state, event);
    boolean switches = isUnderWay() && step.state() instanceof QuietState.Switched;
    state = step.state();
    step.actions().forEach(this::obey);
    if (switches && former != null) {
      cancelTimer();
      connection.quiet().switched(former, report());
      former = null;
    }
    if (state instanceof QuietState.Switched(var late, _) && late.isEmpty()) {
      connection.quiet().isOpenAgain();
    }
  }

  // ---- what is obeyed ------------------------------------------------------------------------

  private void obey(QuietAction action) {
    switch (action) {
      case QuietAction.Forward _ -> verdict = Verdict.FORWARD;
      case QuietAction.Hold _ -> verdict = Verdict.HOLD;
      case QuietAction.Park _ -> verdict = Verdict.PARK;
      case QuietAction.Discard _ -> verdict = Verdict.DISCARD;
      case QuietAction.Pass _ -> throttleMillis = PASS;
      case QuietAction.Stamp(_, long throttle) -> throttleMillis = millis(throttle);
      case QuietAction.Drop _ -> throttleMillis = DROP;
      case QuietAction.Answer(long number, long throttle) -> {
        // First: it may be written, and that be told, before the next line has ended.
        answered(number);
        connection.clientSide().answerInPlace(number, millis(throttle));
      }
      case QuietAction.StopReading _ -> stopReading();
      case QuietAction.ResumeReading _ -> connection.resumeReading();
      case QuietAction.SendEnd _ -> {
        connection.parting().sayEnd();
        connection.resumeReading();
      }
      case QuietAction.Close _ -> {
        cancelTimer();
        connection.quiet().closed(report());
      }
      case QuietAction.RingAt(long at) -> ringAt(at);
      case QuietAction.Switch _ -> makeSwitch();
    }
  }

  /** What is begun and not told yet stays where it is: from here on that counts as whole. */
  private void stopReading() {
    connection.stopReading();
    bytesRead(connection.requests().isWhole());
  }

  private void makeSwitch() {
    if (connection.quiet().makesAnew()) {
      connection.brokerSide().settle(() -> makeSwitch(true));
    } else {
      makeSwitch(false);
    }
  }

  private void makeSwitch(boolean renews) {
    if (!isUnderWay()) {
      return;
    }
    var serving = connection.generation();
    if (connection.quiet().makeSwitch()) {
      former = serving;
      tell(new QuietEvent.SwitchMade(System.nanoTime(), renews));
      return;
    }
    tell(new QuietEvent.SwitchFailed(System.nanoTime()));
    if (renews && connection.brokerSide().isForwarded()) {
      connection.parting().upstreamEnded(); // It was told the end for the switch.
    }
  }

  private static int millis(long nanos) {
    return (int) TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private void ringAt(long at) {
    cancelTimer();
    long delay = Math.max(0, at - System.nanoTime());
    timer =
        connection
            .client()
            .eventLoop()
            .schedule(
                () -> tell(new QuietEvent.TimerRang(System.nanoTime())),
                delay,
                TimeUnit.NANOSECONDS);
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
