package dev.sluice.lifecycle.quiet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Pending.Stage;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import dev.sluice.lifecycle.quiet.Terms.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection as tests tell it: times are milliseconds since the mark, the pause is 100 ms, the
 * drain takes 10 s, so that the grace is over after 8 s. Rings are left out of the actions.
 */
final class Wire {

  static final long MILLI = Duration.ofMillis(1).toNanos();
  static final int GRACE = 8_000;
  static final int DEADLINE = 10_000;
  static final long PAUSE = 100 * MILLI;

  private final List<Pending> inFlight = new ArrayList<>();
  private Client client = new Client(Courtesy.UNKNOWN, 0, false);
  private QuietState state = Quiescing.OPEN;
  private QuietStep last = QuietStep.of(Quiescing.OPEN, Because.NOTED);
  private boolean greeted = true;
  private long origin;
  private long now;
  private int movedAt;
  private int oneWays;

  static Terms terms(Way way) {
    return Terms.of(way, Bounds.PAUSE, 0, Duration.ofMillis(DEADLINE));
  }

  static Request request(long number, Kind kind, int maxWait, WhenLate whenLate) {
    return new Request(number, kind + "-" + number, kind, maxWait * MILLI, whenLate, true);
  }

  static Request produce(long number) {
    return request(number, Kind.ORDINARY, 0, WhenLate.ANSWERED);
  }

  static Request metadata(long number) {
    return request(number, Kind.ORDINARY, 0, WhenLate.FORWARDED);
  }

  static Request fetch(long number, int maxWait) {
    return request(number, Kind.POLL, maxWait, WhenLate.ANSWERED);
  }

  static Request sharePoll(long number, int maxWait) {
    return request(number, Kind.SHARE_POLL, maxWait, WhenLate.ANSWERED);
  }

  static Request join(long number) {
    return request(number, Kind.GROUP_WAIT, 0, WhenLate.ANSWERED);
  }

  /** Lets the mark be at another time than 0. */
  Wire beginning(long at) {
    origin = at;
    now = at;
    return this;
  }

  QuietState state() {
    return state;
  }

  Wire of(Courtesy courtesy) {
    client = new Client(courtesy, client.roundTrip(), client.sharing());
    return this;
  }

  Wire away(int roundTrip) {
    client = new Client(client.courtesy(), roundTrip * MILLI, client.sharing());
    return this;
  }

  Wire sharing() {
    client = new Client(client.courtesy(), client.roundTrip(), true);
    return this;
  }

  Wire notGreeted() {
    greeted = false;
    return this;
  }

  Wire idleFor(int millis) {
    movedAt = -millis;
    return this;
  }

  Wire with(Request... requests) {
    for (var each : requests) {
      inFlight.add(Pending.of(each, Stage.FORWARDED, origin));
    }
    return this;
  }

  Wire withOneWays(int count) {
    oneWays = count;
    return this;
  }

  Wire marked(Way way) {
    return marked(Terms.of(way, Bounds.PAUSE, origin, Duration.ofMillis(DEADLINE)));
  }

  Wire marked(Terms terms) {
    return tell(
        new QuietEvent.Marked(
            origin, terms, client, inFlight, oneWays, origin + movedAt * MILLI, true, greeted));
  }

  Wire at(int millis) {
    now = origin + millis * MILLI;
    return this;
  }

  Wire ring(int millis) {
    return at(millis).tell(new QuietEvent.TimerRang(now));
  }

  Wire reads(Request request) {
    return tell(new QuietEvent.RequestRead(now, request));
  }

  Wire came(long number) {
    return came(number, true, 0);
  }

  Wire came(long number, boolean carries, int own) {
    return tell(new QuietEvent.ResponseCame(now, number, carries, own * MILLI));
  }

  Wire answered(long number) {
    return tell(new QuietEvent.Answered(now, number));
  }

  Wire written(long number) {
    return tell(new QuietEvent.Written(now, number + 1));
  }

  /** The broker's response, from its first byte until it has left. */
  Wire responds(long number) {
    return came(number).answered(number).written(number);
  }

  Wire tell(QuietEvent event) {
    last = Quiescing.on(state, event);
    state = last.state();
    return this;
  }

  long now() {
    return now;
  }

  /** What the last event made the shell do. */
  List<QuietAction> actions() {
    return last.actions().stream().filter(each -> !(each instanceof QuietAction.RingAt)).toList();
  }

  /** What the last event made the shell ring at. */
  Wire rings(int millis) {
    assertThat(last.actions()).contains(new QuietAction.RingAt(origin + millis * MILLI));
    return this;
  }

  Wire does(QuietAction... actions) {
    assertThat(actions()).containsExactly(actions);
    return this;
  }

  Wire doesNothing() {
    return does();
  }

  Wire is(Phase phase) {
    assertThat(state.phase()).isEqualTo(phase);
    return this;
  }

  Wire because(Because because) {
    assertThat(last.because()).isEqualTo(because);
    return this;
  }

  QuietReport report() {
    return switch (state) {
      case QuietState.Closed(var report) -> report;
      case QuietState.Switched(_, var report) -> report;
      case QuietState.Open _, QuietState.Quieting _ ->
          throw new AssertionError("expected it to be over, found " + state);
    };
  }

  static QuietAction stamp(long number) {
    return new QuietAction.Stamp(number, PAUSE);
  }

  static QuietAction pass(long number) {
    return new QuietAction.Pass(number);
  }
}
