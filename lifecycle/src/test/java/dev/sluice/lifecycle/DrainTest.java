package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Specimens.DEADLINE;
import static dev.sluice.lifecycle.Specimens.LATER;
import static dev.sluice.lifecycle.Specimens.SOONER;

import dev.sluice.lifecycle.Action.AbandonSetUp;
import dev.sluice.lifecycle.Action.ChangePurpose;
import dev.sluice.lifecycle.Action.CutConnections;
import dev.sluice.lifecycle.Action.Quiesce;
import dev.sluice.lifecycle.Action.ReleaseEverything;
import dev.sluice.lifecycle.Action.TightenDeadline;
import dev.sluice.lifecycle.ClusterEvent.DeadlinePassed;
import dev.sluice.lifecycle.ClusterEvent.DrainAsked;
import dev.sluice.lifecycle.ClusterEvent.Quiesced;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.ShutdownAsked;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Stopped;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a drain ends a life: edges by name. */
class DrainTest {

  final Walker walker = new Walker();

  @Test
  void a_person_drains() {
    walker
        .when("serving", new DrainAsked(DEADLINE))
        .becomes(draining(new Purpose.Person()))
        .by(new Quiesce(2, new Purpose.Person(), DEADLINE));
  }

  @Test
  void a_zero_drain_passes_through_draining() {
    walker
        .when("serving", new DrainAsked(Specimens.NOW))
        .becomes(new Draining(2, new Purpose.Person(), Specimens.NOW))
        .by(new Quiesce(2, new Purpose.Person(), Specimens.NOW));
  }

  @Test
  void removal_drains_and_gives_up_what_a_reload_prepared() {
    walker
        .when("serving (next is ready)", new RemovalAsked(DEADLINE))
        .becomes(draining(new Purpose.Removal()))
        .by(new AbandonSetUp(3), new Quiesce(2, new Purpose.Removal(), DEADLINE));
  }

  @Test
  void shutdown_drains() {
    walker
        .when("serving", new ShutdownAsked(DEADLINE))
        .becomes(draining(new Purpose.Shutdown()))
        .by(new Quiesce(2, new Purpose.Shutdown(), DEADLINE));
  }

  @Test
  void a_drain_by_a_person_stops_when_quiesced_or_at_the_deadline() {
    walker
        .when("draining (person)", new Quiesced(2))
        .becomes(new Stopped(2, Ending.DRAINED, Optional.empty()))
        .by(new ReleaseEverything());
    walker
        .when("draining (person)", new DeadlinePassed(DEADLINE))
        .becomes(new Stopped(2, Ending.DRAINED, Optional.empty()))
        .by(new CutConnections(2), new ReleaseEverything());
  }

  @Test
  void a_removal_stops_when_quiesced_or_at_the_deadline() {
    walker
        .when("draining (removal)", new Quiesced(2))
        .becomes(new Stopped(2, Ending.REMOVED, Optional.empty()))
        .by(new ReleaseEverything());
    walker
        .when("draining (removal)", new DeadlinePassed(DEADLINE))
        .becomes(new Stopped(2, Ending.REMOVED, Optional.empty()))
        .by(new CutConnections(2), new ReleaseEverything());
  }

  @Test
  void a_shutdown_stops_when_quiesced_or_at_the_deadline() {
    walker
        .when("draining (shutdown)", new Quiesced(2))
        .becomes(new Stopped(2, Ending.SHUT_DOWN, Optional.empty()))
        .by(new ReleaseEverything());
    walker
        .when("draining (shutdown)", new DeadlinePassed(DEADLINE))
        .becomes(new Stopped(2, Ending.SHUT_DOWN, Optional.empty()))
        .by(new CutConnections(2), new ReleaseEverything());
  }

  @Test
  void removal_takes_over_the_drain_of_a_reload() {
    walker
        .when("draining (reload)", new RemovalAsked(LATER))
        .becomes(draining(new Purpose.Removal()))
        .by(new AbandonSetUp(3), new ChangePurpose(new Purpose.Removal()));
  }

  @Test
  void shutdown_takes_over_the_drain_of_a_reload_and_may_shorten_it() {
    walker
        .when("draining (reload)", new ShutdownAsked(SOONER))
        .becomes(new Draining(2, new Purpose.Shutdown(), SOONER))
        .by(
            new AbandonSetUp(3),
            new ChangePurpose(new Purpose.Shutdown()),
            new TightenDeadline(SOONER));
  }

  @Test
  void removal_and_shutdown_take_over_the_drain_of_a_person() {
    walker
        .when("draining (person)", new RemovalAsked(LATER))
        .becomes(draining(new Purpose.Removal()))
        .by(new ChangePurpose(new Purpose.Removal()));
    walker
        .when("draining (person)", new ShutdownAsked(LATER))
        .becomes(draining(new Purpose.Shutdown()))
        .by(new ChangePurpose(new Purpose.Shutdown()));
  }

  @Test
  void shutdown_takes_over_a_removal() {
    walker
        .when("draining (removal)", new ShutdownAsked(LATER))
        .becomes(draining(new Purpose.Shutdown()))
        .by(new ChangePurpose(new Purpose.Shutdown()));
  }

  private static Draining draining(Purpose purpose) {
    return new Draining(2, purpose, DEADLINE);
  }
}
