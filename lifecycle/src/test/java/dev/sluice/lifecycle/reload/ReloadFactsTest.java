package dev.sluice.lifecycle.reload;

import static dev.sluice.lifecycle.reload.Plans.NOON;
import static dev.sluice.lifecycle.reload.Plans.SERVING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.DeadlinePassed;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.Quiesced;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.SwitchAsked;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.Lifecycle;
import dev.sluice.lifecycle.Recovery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Facts are read from steps of the real lifecycle. */
class ReloadFactsTest {

  private static final ClusterEvent ACCEPTED = new ConfigurationAccepted(4);
  private static final ClusterEvent PREPARED = new ClusterEvent.Prepared(4, 1);

  private final List<ReloadEvent> facts = new ArrayList<>();
  private ClusterState state = SERVING;

  @Test
  void a_handover_is_prepared_and_then_served_when_the_former_has_left() {
    tell(ACCEPTED, PREPARED, asked(Way.HANDOVER, Fallback.ROLL_BACK));
    assertThat(facts).containsExactly(new ReloadEvent.Prepared("a", UpstreamIdentity.UNKNOWN));

    tell(new Quiesced(3));
    assertThat(facts).last().isEqualTo(new ReloadEvent.Served("a"));
  }

  @Test
  void a_former_one_that_is_cut_has_left_too() {
    tell(ACCEPTED, PREPARED, asked(Way.IN_PLACE, Fallback.ROLL_BACK), new DeadlinePassed(NOON));

    assertThat(facts).last().isEqualTo(new ReloadEvent.Served("a"));
  }

  @Test
  void a_drain_is_served_when_the_next_one_is_in_its_place() {
    tell(ACCEPTED, PREPARED, asked(Way.DRAIN, Fallback.ROLL_BACK), new Quiesced(3));
    assertThat(facts).hasSize(1);

    tell(PREPARED);
    assertThat(facts).last().isEqualTo(new ReloadEvent.Served("a"));
  }

  @Test
  void a_drain_that_goes_back_is_rolled_back_with_the_cause() {
    tell(ACCEPTED, PREPARED, asked(Way.DRAIN, Fallback.ROLL_BACK), new Quiesced(3), failed(4));
    tell(new ClusterEvent.Prepared(3, 1));

    assertThat(facts).last().isEqualTo(new ReloadEvent.RolledBack("a", "No filter."));
  }

  @Test
  void a_roll_back_that_fails_is_a_failure() {
    tell(ACCEPTED, PREPARED, asked(Way.DRAIN, Fallback.KEEP_NEW), new Quiesced(3), failed(4));

    assertThat(facts).last().isEqualTo(new ReloadEvent.Failed("a", "No filter."));
  }

  @Test
  void what_cannot_be_prepared_beside_is_told_with_the_cause() {
    tell(ACCEPTED, failed(4));

    assertThat(facts)
        .singleElement()
        .isInstanceOfSatisfying(
            ReloadEvent.PrepareFailed.class, f -> assertThat(f.cause()).contains("No filter."));
  }

  @Test
  void one_that_waits_behind_its_barrier_is_prepared_and_served_when_it_opens() {
    state = new Initializing(4, 1, new SetUp.Fresh(), Barrier.CLOSED);
    tell(PREPARED, new ClusterEvent.BarrierOpened());

    assertThat(facts)
        .containsExactly(new ReloadEvent.BarrierReached("a"), new ReloadEvent.Served("a"));
  }

  @Test
  void a_removed_one_is_gone_when_it_has_drained() {
    tell(new RemovalAsked(NOON));
    assertThat(facts).isEmpty();

    tell(new Quiesced(3));
    assertThat(facts).containsExactly(new ReloadEvent.Gone("a"));
  }

  @Test
  void a_refusal_counts_only_as_the_answer_to_the_reload_itself() {
    var refused = Lifecycle.on(SERVING, asked(Way.DRAIN, Fallback.ROLL_BACK));

    assertThat(ReloadFacts.of("a", SERVING, refused)).isEmpty();
    assertThat(ReloadFacts.ofAnswer("a", refused)).containsInstanceOf(ReloadEvent.Refused.class);
  }

  @Test
  void a_benign_race_is_no_fact() {
    tell(new Quiesced(17));

    assertThat(facts).isEmpty();
  }

  private static ClusterEvent asked(Way way, Fallback fallback) {
    return new SwitchAsked(4, way, fallback, NOON);
  }

  private static ClusterEvent failed(int generation) {
    return new PrepareFailed(
        new Failure(NOON, generation, 1, "filter", "No filter."), new Recovery.Exhausted());
  }

  private void tell(ClusterEvent... events) {
    for (var event : events) {
      var step = Lifecycle.on(state, event);
      ReloadFacts.of("a", state, step).ifPresent(facts::add);
      state = step.stateAfter(state);
    }
  }
}
