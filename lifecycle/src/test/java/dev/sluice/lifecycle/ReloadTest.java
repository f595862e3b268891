package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Specimens.DEADLINE;
import static dev.sluice.lifecycle.Specimens.EXHAUSTED;
import static dev.sluice.lifecycle.Specimens.LATER;
import static dev.sluice.lifecycle.Specimens.RETRY_LATER;
import static dev.sluice.lifecycle.Specimens.failure;

import dev.sluice.lifecycle.Action.AbandonSetUp;
import dev.sluice.lifecycle.Action.AdmitClients;
import dev.sluice.lifecycle.Action.CutConnections;
import dev.sluice.lifecycle.Action.InstallGeneration;
import dev.sluice.lifecycle.Action.PrepareGeneration;
import dev.sluice.lifecycle.Action.Quiesce;
import dev.sluice.lifecycle.Action.ReleaseEverything;
import dev.sluice.lifecycle.Action.ReleaseGeneration;
import dev.sluice.lifecycle.Action.RestoreGeneration;
import dev.sluice.lifecycle.Action.TakeOver;
import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.DeadlinePassed;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.Prepared;
import dev.sluice.lifecycle.ClusterEvent.Quiesced;
import dev.sluice.lifecycle.ClusterEvent.SwitchAsked;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Way;
import org.junit.jupiter.api.Test;

/** How a reload moves a cluster: edges by name. */
class ReloadTest {

  private static final Purpose RELOAD = new Purpose.Reload(3, Fallback.ROLL_BACK);

  final Walker walker = new Walker();

  @Test
  void a_reload_in_place_stays_serving_with_a_new_generation() {
    walker
        .when("serving (next is ready)", switchAsked(Way.IN_PLACE))
        .becomes(new Serving(3, new Change.Leaving(2, Way.IN_PLACE, DEADLINE)))
        .by(new TakeOver(2, 3, Way.IN_PLACE, DEADLINE));
  }

  @Test
  void a_reload_by_handover_stays_serving_with_a_new_generation() {
    walker
        .when("serving (next is ready)", switchAsked(Way.HANDOVER))
        .becomes(new Serving(3, new Change.Leaving(2, Way.HANDOVER, DEADLINE)))
        .by(new TakeOver(2, 3, Way.HANDOVER, DEADLINE));
  }

  @Test
  void a_reload_by_drain_drains() {
    walker
        .when("serving (next is ready)", switchAsked(Way.DRAIN))
        .becomes(new Draining(2, RELOAD, DEADLINE))
        .by(new Quiesce(2, RELOAD, DEADLINE));
  }

  @Test
  void a_quiesced_reload_is_set_up() {
    walker
        .when("draining (reload)", new Quiesced(2))
        .becomes(Specimens.state("initializing (after a drain)"), DEADLINE.plusSeconds(5))
        .by(new InstallGeneration(3));
  }

  @Test
  void a_reload_at_its_deadline_is_set_up_after_a_cut() {
    walker
        .when("draining (reload)", new DeadlinePassed(DEADLINE))
        .becomes(Specimens.state("initializing (after a drain)"), DEADLINE.plusSeconds(5))
        .by(new CutConnections(2), new InstallGeneration(3));
  }

  @Test
  void a_reload_that_cannot_be_installed_rolls_back() {
    walker
        .when("initializing (after a drain)", new PrepareFailed(failure(3), RETRY_LATER))
        .becomes(Specimens.state("initializing (rolling back)"))
        .by(new AbandonSetUp(3), new RestoreGeneration(2));
  }

  @Test
  void a_newer_configuration_after_a_drain_still_has_the_retained_one_to_go_back_to() {
    walker
        .when("initializing (after a drain)", new ConfigurationAccepted(4))
        .becomes(
            new Initializing(
                4, 1, new SetUp.AfterDrain(2, Fallback.ROLL_BACK, LATER), Barrier.OPEN))
        .by(new AbandonSetUp(3), new PrepareGeneration(4, 1));
  }

  @Test
  void a_roll_back_serves_the_retained_generation() {
    walker
        .when("initializing (rolling back)", new Prepared(2, 1))
        .becomes(new Serving(2, Change.NONE))
        .by(new AdmitClients(2));
  }

  @Test
  void a_roll_back_that_fails_fails_the_cluster() {
    walker
        .when("initializing (rolling back)", new PrepareFailed(failure(2), EXHAUSTED))
        .becomes(new Failed(failure(2), EXHAUSTED, ClusterState.Barrier.OPEN))
        .by(new ReleaseEverything());
  }

  @Test
  void an_installed_generation_serves_and_the_retained_one_goes() {
    walker
        .when("initializing (after a drain)", new Prepared(3, 1))
        .becomes(new Serving(3, Change.NONE))
        .by(new AdmitClients(3), new ReleaseGeneration(2));
  }

  private static ClusterEvent switchAsked(Way way) {
    return new SwitchAsked(3, way, Fallback.ROLL_BACK, DEADLINE);
  }
}
