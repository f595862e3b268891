package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Specimens.EXHAUSTED;
import static dev.sluice.lifecycle.Specimens.LATER;
import static dev.sluice.lifecycle.Specimens.RETRY;
import static dev.sluice.lifecycle.Specimens.RETRY_LATER;
import static dev.sluice.lifecycle.Specimens.failure;

import dev.sluice.lifecycle.Action.AbandonSetUp;
import dev.sluice.lifecycle.Action.AdmitClients;
import dev.sluice.lifecycle.Action.CancelRetry;
import dev.sluice.lifecycle.Action.PrepareGeneration;
import dev.sluice.lifecycle.Action.ReleaseEverything;
import dev.sluice.lifecycle.Action.ScheduleRetry;
import dev.sluice.lifecycle.ClusterEvent.BarrierOpened;
import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.Prepared;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryDue;
import dev.sluice.lifecycle.ClusterEvent.ShutdownAsked;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a cluster is set up, fails and is retried: edges by name. */
class SetUpTest {

  final Walker walker = new Walker();

  @Test
  void a_prepared_cluster_serves() {
    walker
        .when("initializing", new Prepared(2, 1))
        .becomes(new Serving(2, Change.NONE))
        .by(new AdmitClients(2));
  }

  @Test
  void behind_the_barrier_a_prepared_cluster_serves_when_all_are_prepared() {
    walker
        .when("initializing (prepared)", new BarrierOpened())
        .becomes(new Serving(2, Change.NONE))
        .by(new AdmitClients(2));
  }

  @Test
  void a_set_up_that_fails_releases_first_and_is_retried_by_policy() {
    walker
        .when("initializing", new PrepareFailed(failure(2), RETRY_LATER))
        .becomes(new Failed(failure(2), RETRY_LATER, ClusterState.Barrier.OPEN))
        .by(new ReleaseEverything(), new ScheduleRetry(RETRY));
  }

  @Test
  void a_set_up_that_fails_for_the_last_time_keeps_its_cause() {
    walker
        .when("initializing", new PrepareFailed(failure(2), EXHAUSTED))
        .becomes(new Failed(failure(2), EXHAUSTED, ClusterState.Barrier.OPEN))
        .by(new ReleaseEverything());
  }

  @Test
  void a_newer_configuration_takes_the_place_of_one_that_is_being_set_up() {
    walker
        .when("initializing", new ConfigurationAccepted(4))
        .becomes(fresh(4))
        .by(new AbandonSetUp(2), new PrepareGeneration(4, 1));
  }

  @Test
  void removal_ends_a_set_up() {
    walker
        .when("initializing", new RemovalAsked(LATER))
        .becomes(new Stopped(2, Ending.REMOVED, Optional.empty()))
        .by(new ReleaseEverything());
  }

  @Test
  void shutdown_ends_a_set_up() {
    walker
        .when("initializing", new ShutdownAsked(LATER))
        .becomes(new Stopped(2, Ending.SHUT_DOWN, Optional.empty()))
        .by(new ReleaseEverything());
  }

  @Test
  void a_person_retries_at_any_time_with_all_attempts_anew() {
    walker
        .when("failed (exhausted)", new RetryAsked())
        .becomes(fresh(2))
        .by(new PrepareGeneration(2, 1));
  }

  @Test
  void a_retry_that_is_due_is_the_next_attempt() {
    var second = new Initializing(2, 2, new ClusterState.SetUp.Fresh(), ClusterState.Barrier.OPEN);
    walker
        .when("failed (retry scheduled)", new RetryDue(RETRY))
        .becomes(second)
        .by(new PrepareGeneration(2, 2));
  }

  @Test
  void another_configuration_voids_the_scheduled_retry() {
    walker
        .when("failed (retry scheduled)", new ConfigurationAccepted(4))
        .becomes(fresh(4))
        .by(new CancelRetry(), new PrepareGeneration(4, 1));
  }

  @Test
  void a_failed_cluster_that_is_removed_keeps_its_failure_visible() {
    walker
        .when("failed (retry scheduled)", new RemovalAsked(LATER))
        .becomes(new Stopped(2, Ending.REMOVED, Optional.of(failure(2))))
        .by(new CancelRetry());
  }

  @Test
  void a_failed_cluster_that_is_shut_down_keeps_its_failure_visible() {
    walker
        .when("failed (exhausted)", new ShutdownAsked(LATER))
        .becomes(new Stopped(2, Ending.SHUT_DOWN, Optional.of(failure(2))))
        .by();
  }

  private static Initializing fresh(int generation) {
    return new Initializing(
        generation, 1, new ClusterState.SetUp.Fresh(), ClusterState.Barrier.OPEN);
  }
}
