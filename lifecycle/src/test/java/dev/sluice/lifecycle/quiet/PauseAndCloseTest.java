package dev.sluice.lifecycle.quiet;

import static dev.sluice.lifecycle.quiet.Terms.Way.PAUSE_AND_CLOSE;
import static dev.sluice.lifecycle.quiet.Wire.fetch;
import static dev.sluice.lifecycle.quiet.Wire.join;
import static dev.sluice.lifecycle.quiet.Wire.metadata;
import static dev.sluice.lifecycle.quiet.Wire.pass;
import static dev.sluice.lifecycle.quiet.Wire.produce;
import static dev.sluice.lifecycle.quiet.Wire.stamp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A connection that has to end, before the grace is over. */
class PauseAndCloseTest {

  private static final QuietAction END = new QuietAction.SendEnd();
  private static final QuietAction CLOSE = new QuietAction.Close();

  private final Wire wire = new Wire();

  @Test
  void an_idle_connection_is_ended_at_once() {
    wire.idleFor(500).marked(PAUSE_AND_CLOSE).does(END).because(Because.IDLE);
  }

  @Test
  void a_connection_that_has_just_moved_is_not_idle() {
    wire.idleFor(300).marked(PAUSE_AND_CLOSE).doesNothing().is(Phase.MARKED);
    wire.ring(199).doesNothing();
    wire.ring(200).does(END);
  }

  @Test
  void a_client_that_sends_now_and_then_is_asked_for_a_pause_first() {
    wire.idleFor(150).marked(PAUSE_AND_CLOSE).doesNothing();
    wire.at(50).reads(produce(1)).tell(new QuietEvent.BytesRead(wire.now(), true));
    wire.at(52).came(1).does(stamp(1)).is(Phase.PAUSING);
    wire.at(53).answered(1).written(1).ring(103).does(END).because(Because.SILENT);
  }

  @Test
  void a_client_that_cannot_be_asked_ends_when_it_is_empty_after_five_pauses() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(300).came(1, false, 0).answered(1).reads(produce(2)).written(1).doesNothing();
    wire.at(520).came(2, false, 0).does(pass(2)).answered(2).doesNothing();
    wire.at(521).written(2).does(END).because(Because.CANNOT_BE_ASKED);
  }

  @Test
  void a_client_that_sends_one_way_requests_without_a_break_is_ended_among_them() {
    wire.withOneWays(3).marked(PAUSE_AND_CLOSE);
    wire.at(498).tell(new QuietEvent.OneWayRead(wire.now())).does(new QuietAction.Forward());
    wire.at(499).tell(new QuietEvent.BytesRead(wire.now(), false)).doesNothing();
    wire.ring(500).does(END).because(Because.CANNOT_BE_ASKED);
    wire.at(501).tell(new QuietEvent.OneWayRead(wire.now())).does(new QuietAction.Forward());
    wire.at(502).tell(new QuietEvent.OneWaysWritten(wire.now(), 5)).doesNothing();
    wire.at(503).tell(new QuietEvent.ClientEnded(wire.now())).does(CLOSE);
    assertThat(wire.report().noticed()).isZero();
    assertThat(wire.report().endedWithinRequest()).isZero();
  }

  @Test
  void the_first_response_that_can_asks_for_the_pause() {
    wire.with(produce(1), produce(2)).marked(PAUSE_AND_CLOSE);
    wire.at(3).came(1, false, 0).does(pass(1)).answered(1).written(1);
    wire.at(4).came(2).does(stamp(2)).is(Phase.PAUSING);
  }

  @Test
  void another_response_asks_only_when_less_than_half_of_the_pause_is_left() {
    wire.with(produce(1), produce(2), produce(3)).marked(PAUSE_AND_CLOSE);
    wire.at(10).responds(1);
    wire.at(60).came(2).does(pass(2)).answered(2).written(2);
    wire.at(61).came(3).does(stamp(3));
  }

  @Test
  void no_other_response_asks_while_the_first_has_not_left() {
    wire.with(produce(1), produce(2)).marked(PAUSE_AND_CLOSE);
    wire.at(10).came(1).answered(1);
    wire.at(500).came(2).does(pass(2));
  }

  @Test
  void a_longer_pause_of_the_brokers_own_is_kept() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).came(1, true, 300).does(pass(1)).is(Phase.PAUSING);
  }

  @Test
  void a_shorter_pause_of_the_brokers_own_becomes_ours() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).came(1, true, 30).does(stamp(1));
  }

  @Test
  void what_comes_during_the_pause_is_forwarded() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(3).reads(produce(2)).does(new QuietAction.Forward());
  }

  @Test
  void the_end_is_sent_in_the_middle_of_the_pause() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1).is(Phase.PAUSING);
    wire.ring(50).doesNothing();
    wire.ring(51).does(END).because(Because.SILENT).is(Phase.HALF_CLOSED);
  }

  @Test
  void what_a_client_sends_that_reads_of_the_pause_late_is_answered() {
    wire.of(Courtesy.HONOURS).with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.ring(40).doesNothing();
    wire.reads(produce(2)).does(new QuietAction.Forward());
    wire.at(45).came(2).does(pass(2)).answered(2).written(2);
    wire.ring(51).does(END).because(Because.SILENT);
  }

  @Test
  void the_end_is_sent_when_it_has_been_silent_for_ten_milliseconds() {
    wire.of(Courtesy.HONOURS).with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(46).reads(produce(2));
    wire.at(47).came(2).answered(2).written(2);
    wire.ring(55).doesNothing();
    wire.ring(56).does(END).because(Because.SILENT);
  }

  @Test
  void the_silence_lasts_for_a_round_trip() {
    wire.away(60).with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.ring(60).doesNothing();
    wire.ring(61).does(END);
  }

  @Test
  void a_client_far_away_gets_a_longer_pause() {
    wire.away(120).with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).came(1).does(new QuietAction.Stamp(1, 150 * Wire.MILLI));
  }

  @Test
  void the_end_is_not_sent_when_the_pause_is_about_to_run_out() {
    wire.with(produce(1), produce(2)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(50).came(2).answered(2);
    wire.at(82).written(2).doesNothing();
    wire.ring(100).doesNothing();
    wire.ring(101).doesNothing().is(Phase.MARKED);
  }

  @Test
  void a_request_that_is_read_in_part_keeps_it_open() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(2).tell(new QuietEvent.BytesRead(wire.now(), false));
    wire.ring(60).doesNothing();
    wire.at(61).tell(new QuietEvent.BytesRead(wire.now(), true)).doesNothing();
    wire.ring(71).does(END);
  }

  @Test
  void a_one_way_request_keeps_it_open_until_it_has_left() {
    wire.withOneWays(1).idleFor(500).marked(PAUSE_AND_CLOSE).doesNothing();
    wire.at(5).tell(new QuietEvent.OneWaysWritten(wire.now(), 1)).does(END);
  }

  @Test
  void a_handshake_is_let_finish_and_the_first_answer_asks_for_the_pause() {
    wire.notGreeted()
        .with(Wire.request(0, Kind.HANDSHAKE, 0, WhenLate.FORWARDED))
        .marked(PAUSE_AND_CLOSE)
        .is(Phase.SHAKING_HANDS);
    wire.at(1).came(0).does(pass(0)).answered(0).written(0).is(Phase.SHAKING_HANDS);
    wire.at(2).reads(metadata(1)).does(new QuietAction.Forward());
    wire.at(3).came(1).does(stamp(1)).is(Phase.PAUSING);
  }

  @Test
  void a_connection_that_never_asks_is_ended_after_a_second() {
    wire.notGreeted().idleFor(0).marked(PAUSE_AND_CLOSE);
    wire.ring(999).doesNothing();
    wire.ring(1_000).does(END);
  }

  @Test
  void a_client_that_sends_in_the_pause_is_not_read_any_more() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(10).reads(produce(2)).does(new QuietAction.Forward()).is(Phase.PAUSING);
    wire.at(12)
        .reads(produce(3))
        .does(new QuietAction.Forward(), new QuietAction.StopReading())
        .because(Because.DOES_NOT_PAUSE)
        .is(Phase.UNREAD);
    wire.at(13).responds(2).doesNothing();
    wire.at(14).responds(3).does(END).because(Because.EMPTY);
  }

  @Test
  void a_client_that_is_known_to_pause_is_never_suspected() {
    wire.of(Courtesy.HONOURS).with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(50).reads(produce(2)).does(new QuietAction.Forward()).is(Phase.PAUSING);
  }

  @Test
  void a_client_that_is_known_not_to_pause_is_not_asked() {
    wire.of(Courtesy.IGNORES).with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.does(new QuietAction.StopReading()).is(Phase.UNREAD);
    wire.at(1).came(1).does(pass(1)).answered(1).written(1).does(END);
  }

  @Test
  void a_poll_that_ends_in_time_is_left_to_the_broker() {
    wire.with(fetch(1, 500)).marked(PAUSE_AND_CLOSE).doesNothing();
    wire.at(480).came(1).does(stamp(1));
  }

  @Test
  void a_poll_that_would_outlast_the_grace_is_answered_and_its_late_answer_dropped() {
    wire.with(fetch(1, 30_000)).marked(PAUSE_AND_CLOSE);
    wire.does(new QuietAction.Answer(1, Wire.PAUSE)).answered(1).written(1);
    wire.at(5).came(1).does(new QuietAction.Drop(1));
    wire.ring(50).does(END);
    wire.at(51).tell(new QuietEvent.ClientEnded(wire.now())).does(CLOSE);
    assertThat(wire.report().earlyAnswers()).isEqualTo(1);
    assertThat(wire.report().lateAnswersDropped()).isEqualTo(1);
  }

  @Test
  void a_poll_waits_for_its_turn() {
    wire.with(produce(1), fetch(2, 30_000)).marked(PAUSE_AND_CLOSE).doesNothing();
    wire.at(3).came(1).does(stamp(1));
    wire.answered(1).does(new QuietAction.Answer(2, Wire.PAUSE));
  }

  @Test
  void a_poll_that_is_not_forwarded_is_answered_half_a_pause_later() {
    wire.marked(PAUSE_AND_CLOSE);
    wire.at(10).reads(fetch(1, 30_000)).does(new QuietAction.Hold(1));
    wire.ring(59).doesNothing();
    wire.ring(60).does(new QuietAction.Answer(1, Wire.PAUSE));
  }

  @Test
  void a_poll_that_must_end_at_once_is_taken_in_first() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(50).reads(fetch(2, 500)).does(new QuietAction.Forward(), new QuietAction.StopReading());
    wire.is(Phase.UNREAD).rings(50);
    wire.ring(50).does(new QuietAction.Answer(2, Wire.PAUSE));
  }

  @Test
  void what_is_forwarded_waits_for_an_earlier_request_that_is_held() {
    wire.marked(PAUSE_AND_CLOSE);
    wire.at(10).reads(fetch(1, 30_000)).does(new QuietAction.Hold(1));
    wire.at(11).reads(metadata(2)).does(new QuietAction.Park(), new QuietAction.StopReading());
    wire.ring(60).does(new QuietAction.Answer(1, Wire.PAUSE), new QuietAction.ResumeReading());
    wire.answered(1).reads(metadata(2)).does(new QuietAction.Forward());
  }

  @Test
  void the_end_is_not_sent_between_reading_on_and_what_was_parked() {
    wire.of(Courtesy.HONOURS).with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(2).reads(fetch(2, 30_000)).reads(metadata(3));
    wire.ring(60).answered(2).written(2);
    wire.ring(75).doesNothing();
    wire.reads(metadata(3)).does(new QuietAction.Forward());
  }

  @Test
  void a_join_is_left_to_the_broker_until_the_grace_is_over() {
    wire.with(join(1)).marked(PAUSE_AND_CLOSE).doesNothing();
    wire.ring(Wire.GRACE - 1).doesNothing();
    wire.ring(Wire.GRACE).does(new QuietAction.Answer(1, Wire.PAUSE));
    wire.answered(1).written(1).ring(Wire.GRACE + 50).does(END);
    wire.tell(new QuietEvent.ClientEnded(wire.now()));
    assertThat(wire.report().refused()).isEqualTo(Map.of("GROUP_WAIT-1", 1));
    assertThat(wire.report().count(Outcome.REFUSED_THEN_QUIESCED)).isEqualTo(1);
  }

  @Test
  void what_crossed_the_end_is_discarded_and_counted() {
    wire.idleFor(500).marked(PAUSE_AND_CLOSE);
    wire.at(1).reads(produce(1)).does(new QuietAction.Discard());
    wire.at(2).tell(new QuietEvent.ClientEnded(wire.now())).does(CLOSE).is(Phase.CLOSED);
    assertThat(wire.report().unanswered()).isEqualTo(Map.of("ORDINARY-1", 1));
    assertThat(wire.report().count(Outcome.QUIESCED)).isEqualTo(1);
    assertThat(wire.report().longest()).isEqualTo(Duration.ofMillis(2));
  }

  @Test
  void a_one_way_request_that_crossed_the_end_is_forwarded_before_the_broker_is_left() {
    wire.idleFor(500).marked(PAUSE_AND_CLOSE);
    wire.at(1).tell(new QuietEvent.OneWayRead(wire.now())).does(new QuietAction.Forward());
    wire.at(2).tell(new QuietEvent.ClientEnded(wire.now())).doesNothing();
    wire.at(3).tell(new QuietEvent.OneWaysWritten(wire.now(), 1)).does(CLOSE);
    assertThat(wire.report().noticed()).isZero();
  }

  @Test
  void a_client_that_does_not_close_is_closed_after_the_linger() {
    wire.idleFor(500).marked(PAUSE_AND_CLOSE);
    wire.ring(4_999).doesNothing();
    wire.ring(5_000).does(CLOSE).because(Because.LINGERED);
    assertThat(wire.report().count(Outcome.QUIESCED)).isEqualTo(1);
  }

  @Test
  void a_client_that_leaves_gets_the_answers_to_what_it_asked() {
    wire.with(produce(1)).marked(PAUSE_AND_CLOSE);
    wire.at(1).tell(new QuietEvent.ClientEnded(wire.now())).doesNothing();
    wire.at(2).came(1).does(pass(1)).answered(1).written(1).does(CLOSE);
    assertThat(wire.report().count(Outcome.CLIENT_LEFT)).isEqualTo(1);
  }

  @Test
  void what_was_with_a_broker_that_is_lost_is_counted() {
    wire.with(produce(1), produce(2)).marked(PAUSE_AND_CLOSE);
    wire.at(1).responds(1);
    wire.at(2)
        .tell(new QuietEvent.UpstreamEnded(wire.now()))
        .does(new QuietAction.StopReading(), END);
    wire.at(3).tell(new QuietEvent.ClientEnded(wire.now())).does(CLOSE);
    assertThat(wire.report().unanswered()).isEqualTo(Map.of("ORDINARY-2", 1));
    assertThat(wire.report().count(Outcome.UPSTREAM_LOST)).isEqualTo(1);
  }
}
