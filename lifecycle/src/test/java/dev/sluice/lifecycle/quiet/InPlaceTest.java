package dev.sluice.lifecycle.quiet;

import static dev.sluice.lifecycle.quiet.Terms.Way.BETWEEN;
import static dev.sluice.lifecycle.quiet.Terms.Way.IN_PLACE;
import static dev.sluice.lifecycle.quiet.Terms.Way.PAUSE_AND_CLOSE;
import static dev.sluice.lifecycle.quiet.Wire.fetch;
import static dev.sluice.lifecycle.quiet.Wire.join;
import static dev.sluice.lifecycle.quiet.Wire.pass;
import static dev.sluice.lifecycle.quiet.Wire.produce;
import static dev.sluice.lifecycle.quiet.Wire.sharePoll;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A connection that stays, and is switched to another generation. */
class InPlaceTest {

  private static final QuietAction STOP = new QuietAction.StopReading();
  private static final QuietAction RESUME = new QuietAction.ResumeReading();
  private static final QuietAction SWITCH = new QuietAction.Switch();

  private final Wire wire = new Wire();

  @Test
  void it_is_not_read_until_nothing_is_in_flight_and_it_is_switched() {
    wire.with(produce(1)).marked(IN_PLACE).does(STOP).is(Phase.STILLING);
    wire.at(2).came(1).does(pass(1)).answered(1).doesNothing().written(1).does(SWITCH);
    wire.at(3).tell(new QuietEvent.SwitchMade(wire.now(), true)).does(RESUME).is(Phase.SWITCHED);
    assertThat(wire.report().count(Outcome.SWITCHED)).isEqualTo(1);
  }

  @Test
  void an_idle_connection_is_switched_at_once() {
    wire.marked(IN_PLACE).does(STOP, SWITCH).is(Phase.STILL);
  }

  @Test
  void what_is_told_meanwhile_is_left_unread() {
    wire.with(produce(1)).marked(IN_PLACE).reads(produce(2)).does(new QuietAction.Park());
    wire.tell(new QuietEvent.OneWayRead(wire.now())).does(new QuietAction.Park());
  }

  @Test
  void a_poll_that_would_outlast_the_budget_is_answered_without_a_pause() {
    wire.with(fetch(1, 500)).marked(IN_PLACE);
    wire.does(STOP, new QuietAction.Answer(1, 0)).answered(1).written(1).does(SWITCH);
    wire.at(1).tell(new QuietEvent.SwitchMade(wire.now(), false));
    wire.at(400).came(1).does(new QuietAction.Drop(1));
    wire.at(401).came(2).does(pass(2));
    assertThat(wire.report().lateAnswersDropped()).isEqualTo(1);
  }

  @Test
  void a_poll_that_is_about_to_end_is_waited_for_as_long_as_the_budget() {
    wire.with(fetch(1, 40)).marked(IN_PLACE).does(STOP);
    wire.ring(49).doesNothing();
    wire.ring(50).does(new QuietAction.Answer(1, 0));
  }

  @Test
  void a_connection_with_a_waiting_join_stays_until_it_is_answered() {
    wire.with(join(1)).marked(IN_PLACE).doesNothing().is(Phase.STAYING);
    wire.at(5).reads(produce(2)).does(new QuietAction.Forward());
    wire.at(3_000).came(1).does(pass(1), STOP).is(Phase.STILLING);
  }

  @Test
  void a_join_that_waits_when_the_grace_is_over_is_refused_and_the_connection_switched() {
    wire.with(join(1)).marked(IN_PLACE).ring(Wire.GRACE).does(new QuietAction.Answer(1, 0));
    wire.answered(1).does(STOP).written(1).does(SWITCH);
  }

  @Test
  void a_share_consumer_stays_until_the_grace_is_over_and_is_then_asked_to_pause() {
    wire.sharing().with(produce(1)).marked(IN_PLACE).is(Phase.STAYING);
    wire.at(7_000).came(1).does(pass(1)).answered(1).written(1).doesNothing();
    wire.at(7_001).reads(produce(2)).does(new QuietAction.Forward());
    wire.ring(Wire.GRACE).is(Phase.MARKED);
    wire.at(8_001).came(2).does(Wire.stamp(2));
  }

  @Test
  void what_a_broker_owes_on_a_connection_that_was_left_is_forgotten() {
    wire.with(fetch(1, 30_000)).marked(IN_PLACE).answered(1).written(1).does(SWITCH);
    wire.tell(new QuietEvent.SwitchMade(wire.now(), true));
    assertThat(wire.state())
        .isInstanceOfSatisfying(
            QuietState.Switched.class, switched -> assertThat(switched.late()).isEmpty());
  }

  @Test
  void a_share_consumer_whose_broker_stays_is_switched_between_two_of_its_requests() {
    wire.sharing().with(sharePoll(1, 30_000)).marked(BETWEEN).doesNothing().is(Phase.STAYING);
    wire.at(3_000).came(1).does(pass(1)).answered(1).doesNothing();
    wire.written(1).does(STOP, SWITCH).is(Phase.STILL);
  }

  @Test
  void a_join_that_waits_for_a_broker_that_stays_ends_the_connection_when_the_grace_is_over() {
    wire.with(join(1)).marked(BETWEEN).is(Phase.STAYING);
    wire.ring(Wire.GRACE).is(Phase.MARKED);
  }

  @Test
  void a_later_switch_that_makes_the_upstream_connection_anew_counts() {
    wire.sharing().with(produce(1)).marked(BETWEEN);
    wire.tell(new QuietEvent.TermsTightened(0, Wire.terms(IN_PLACE)));
    wire.at(2).came(1).answered(1).written(1).doesNothing().is(Phase.STAYING);
  }

  @Test
  void removal_overtakes_the_switch() {
    wire.with(produce(1)).marked(IN_PLACE);
    wire.tell(new QuietEvent.TermsTightened(0, Wire.terms(PAUSE_AND_CLOSE)))
        .does(RESUME)
        .is(Phase.MARKED);
  }

  @Test
  void removal_while_the_switch_is_made_waits_for_it() {
    wire.marked(IN_PLACE).is(Phase.STILL);
    wire.tell(new QuietEvent.TermsTightened(0, Wire.terms(PAUSE_AND_CLOSE))).is(Phase.STILL);
    wire.at(500).tell(new QuietEvent.SwitchMade(wire.now(), true));
    wire.does(RESUME, new QuietAction.SendEnd());
  }

  @Test
  void a_switch_that_fails_ends_the_connection_quietly() {
    wire.marked(IN_PLACE);
    wire.at(10).tell(new QuietEvent.SwitchFailed(wire.now())).does(RESUME).is(Phase.MARKED);
  }

  @Test
  void a_switched_connection_can_be_marked_again() {
    wire.marked(IN_PLACE).tell(new QuietEvent.SwitchMade(0, true)).is(Phase.SWITCHED);
    wire.reads(produce(1)).does(new QuietAction.Forward());
    wire.with(produce(1)).marked(IN_PLACE).does(STOP).is(Phase.STILLING);
  }

  @Test
  void what_is_not_still_at_the_deadline_is_closed() {
    wire.with(produce(1)).marked(IN_PLACE);
    wire.reads(produce(2)).ring(Wire.DEADLINE).does(new QuietAction.Close());
    assertThat(wire.report().noticed()).isEqualTo(2);
  }
}
