package dev.sluice.lifecycle.quiet;

import static dev.sluice.lifecycle.quiet.Terms.Way.PAUSE_AND_CLOSE;
import static dev.sluice.lifecycle.quiet.Wire.fetch;
import static dev.sluice.lifecycle.quiet.Wire.metadata;
import static dev.sluice.lifecycle.quiet.Wire.produce;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of a client that is still there when the grace is over. */
class GraceAndDeadlineTest {

  private final Wire wire = new Wire().with(produce(1));

  private Wire afterGrace() {
    return wire.marked(PAUSE_AND_CLOSE).ring(Wire.GRACE).is(Phase.REFUSING);
  }

  @Test
  void after_the_grace_a_request_is_refused_a_pause_later() {
    afterGrace().at(8_001).responds(1);
    wire.at(8_005).reads(produce(2)).does(new QuietAction.Hold(2));
    wire.ring(8_104).doesNothing();
    wire.ring(8_105).does(new QuietAction.Answer(2, Wire.PAUSE));
  }

  @Test
  void requests_are_refused_in_order_each_in_its_turn() {
    afterGrace().reads(produce(2)).does(new QuietAction.Hold(2));
    wire.at(8_010).reads(produce(3)).does(new QuietAction.Hold(3));
    wire.ring(8_120).doesNothing();
    wire.at(8_200).came(1).answered(1).does(new QuietAction.Answer(2, 0));
    wire.answered(2).does(new QuietAction.Answer(3, 0));
  }

  @Test
  void a_refusal_asks_for_a_pause_too() {
    afterGrace().reads(produce(2));
    wire.at(8_001).came(1, false, 0).answered(1).written(1);
    wire.ring(8_100).does(new QuietAction.Answer(2, Wire.PAUSE));
  }

  @Test
  void a_poll_with_the_broker_is_answered_when_the_grace_is_over() {
    var polling = new Wire().with(fetch(1, 500)).marked(PAUSE_AND_CLOSE);
    polling.ring(Wire.GRACE).does(new QuietAction.Answer(1, Wire.PAUSE));
  }

  @Test
  void what_cannot_be_refused_is_forwarded() {
    afterGrace().reads(metadata(2)).does(new QuietAction.Forward());
  }

  @Test
  void what_can_be_neither_ends_the_connection_once_all_before_it_is_answered() {
    afterGrace()
        .reads(Wire.request(2, Kind.ORDINARY, 0, WhenLate.CLOSED))
        .does(new QuietAction.Discard(), new QuietAction.StopReading());
    wire.at(8_001).responds(1).does(new QuietAction.SendEnd());
    wire.at(8_002).tell(new QuietEvent.ClientEnded(wire.now()));
    assertThat(wire.report().unanswered()).isEqualTo(Map.of("ORDINARY-2", 1));
  }

  @Test
  void an_empty_connection_is_ended_at_once() {
    var busy = new Wire().with(produce(1), produce(2)).marked(PAUSE_AND_CLOSE);
    busy.at(7_700).responds(1).ring(7_800).is(Phase.MARKED);
    busy.at(7_990).came(2, false, 0).answered(2).written(2).doesNothing();
    busy.ring(Wire.GRACE).does(new QuietAction.SendEnd()).because(Because.EMPTY);
  }

  @Test
  void at_the_deadline_it_is_closed_and_what_is_unanswered_is_counted_by_api() {
    afterGrace().reads(metadata(2));
    wire.ring(9_999).doesNothing();
    wire.ring(Wire.DEADLINE).does(new QuietAction.Close()).because(Because.DEADLINE_PASSED);
    assertThat(wire.report().count(Outcome.FORCED)).isEqualTo(1);
    assertThat(wire.report().unanswered()).isEqualTo(Map.of("ORDINARY-1", 1, "ORDINARY-2", 1));
    assertThat(wire.report().noticed()).isEqualTo(2);
  }

  @Test
  void a_response_that_has_not_left_counts_as_unanswered() {
    afterGrace().came(1).answered(1);
    wire.ring(Wire.DEADLINE);
    assertThat(wire.report().unanswered()).isEqualTo(Map.of("ORDINARY-1", 1));
  }

  @Test
  void no_time_at_all_closes_at_once() {
    wire.marked(Terms.of(PAUSE_AND_CLOSE, Bounds.PAUSE, 0, Duration.ZERO));
    wire.does(new QuietAction.Close());
  }

  @Test
  void a_nearer_deadline_counts() {
    wire.marked(PAUSE_AND_CLOSE);
    var sooner = Terms.of(PAUSE_AND_CLOSE, Bounds.PAUSE, 0, Duration.ofMillis(500));
    wire.tell(new QuietEvent.TermsTightened(0, sooner)).because(Because.TIGHTENED);
    wire.ring(250).is(Phase.REFUSING);
    wire.ring(500).is(Phase.CLOSED);
  }

  @Test
  void a_later_deadline_does_not() {
    wire.marked(PAUSE_AND_CLOSE);
    var later = Terms.of(PAUSE_AND_CLOSE, Bounds.PAUSE, 0, Duration.ofHours(1));
    wire.tell(new QuietEvent.TermsTightened(0, later));
    wire.ring(Wire.DEADLINE).is(Phase.CLOSED);
  }
}
