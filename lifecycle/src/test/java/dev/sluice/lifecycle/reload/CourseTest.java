package dev.sluice.lifecycle.reload;

import static dev.sluice.lifecycle.reload.Plans.ATOMIC;
import static dev.sluice.lifecycle.reload.Plans.KEEP_NEW;
import static dev.sluice.lifecycle.reload.Plans.added;
import static dev.sluice.lifecycle.reload.Plans.changed;
import static dev.sluice.lifecycle.reload.Plans.changedAfter;
import static dev.sluice.lifecycle.reload.Plans.notServing;
import static dev.sluice.lifecycle.reload.Plans.plan;
import static dev.sluice.lifecycle.reload.Plans.removed;
import static dev.sluice.lifecycle.reload.Plans.renamed;
import static dev.sluice.lifecycle.reload.Plans.retried;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.reload.ReloadAction.Admit;
import dev.sluice.lifecycle.reload.ReloadAction.AwaitPorts;
import dev.sluice.lifecycle.reload.ReloadAction.Begin;
import dev.sluice.lifecycle.reload.ReloadAction.Cancel;
import dev.sluice.lifecycle.reload.ReloadAction.LetRetry;
import dev.sluice.lifecycle.reload.ReloadAction.Prepare;
import dev.sluice.lifecycle.reload.ReloadAction.Remove;
import dev.sluice.lifecycle.reload.ReloadAction.Retry;
import dev.sluice.lifecycle.reload.ReloadEvent.BarrierReached;
import dev.sluice.lifecycle.reload.ReloadEvent.Failed;
import dev.sluice.lifecycle.reload.ReloadEvent.Gone;
import dev.sluice.lifecycle.reload.ReloadEvent.PortsFreed;
import dev.sluice.lifecycle.reload.ReloadEvent.PrepareFailed;
import dev.sluice.lifecycle.reload.ReloadEvent.Prepared;
import dev.sluice.lifecycle.reload.ReloadEvent.Refused;
import dev.sluice.lifecycle.reload.ReloadEvent.RetryDue;
import dev.sluice.lifecycle.reload.ReloadEvent.RolledBack;
import dev.sluice.lifecycle.reload.ReloadEvent.Served;
import dev.sluice.lifecycle.reload.ReloadEvent.ShutdownAsked;
import dev.sluice.lifecycle.reload.ReloadState.Phase;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The course of one reload. */
class CourseTest {

  private static final String CAUSE = "Port 9192 is taken.";

  private ReloadStep now = Reload.begin(plan(), ReloadPolicy.DEFAULT);

  @Test
  void nothing_that_changes_is_done_at_once() {
    begin(ReloadPolicy.DEFAULT, new ClusterChange.Unchanged("orders"));

    assertThat(now.actions()).isEmpty();
    assertThat(now.state().isDone()).isTrue();
  }

  @Test
  void what_cannot_be_done_at_once_is_refused_before_anything_is_touched() {
    var changes = List.<ClusterChange>of(changedAfter("a", "b"), changedAfter("b", "a"));
    now =
        Reload.begin(new ReloadPlan(changes, List.of(), Optional.of(CAUSE)), ReloadPolicy.DEFAULT);

    assertThat(now.actions()).isEmpty();
    assertThat(now.state().isDone()).isTrue();
    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.Refused(CAUSE));
  }

  @Test
  void who_needs_a_port_of_one_that_moves_is_prepared_when_that_has_switched() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.GATEWAYS), changedAfter("b", "a"));
    assertThat(now.actions()).containsExactly(new Prepare("a"));

    hear(new Prepared("a", UpstreamIdentity.SAME));
    assertThat(now.actions()).hasOnlyElementsOfType(ReloadAction.Switch.class);
    hear(new Served("a"));
    assertThat(now.actions()).containsExactly(new AwaitPorts("b", after("a")));
    assertThat(now.state().expects("b")).isFalse();
    hear(new PortsFreed("b"));
    assertThat(now.actions()).containsExactly(new Prepare("b"));
    assertThat(now.state().expects("b")).isTrue();
  }

  @Test
  void what_happens_to_a_cluster_while_it_waits_for_ports_is_no_answer() {
    begin(ReloadPolicy.DEFAULT, removed("a"), changedAfter("b", "a"));
    hear(new Gone("a"));
    hear(new Failed("b", CAUSE));

    assertThat(now.state().outcome("b")).isEmpty();
  }

  @Test
  void an_automatic_retry_that_is_due_yields_until_the_cluster_has_its_outcome() {
    begin(ReloadPolicy.DEFAULT, removed("a"), changed("b", Aspect.LIMITS));
    hear(new RetryDue("b", Plans.NOON));
    assertThat(now.actions()).isEmpty();

    hear(new Prepared("b", UpstreamIdentity.SAME));
    hear(new Served("b"));
    assertThat(now.actions()).containsExactly(new LetRetry("b", Plans.NOON));
    assertThat(now.state().yielding()).isEmpty();
    assertThat(now.state().isDone()).isFalse();
  }

  @Test
  void an_automatic_retry_of_a_cluster_to_which_nothing_is_done_does_not_yield() {
    begin(ReloadPolicy.DEFAULT, removed("a"));
    hear(new RetryDue("b", Plans.NOON));

    assertThat(now.actions()).containsExactly(new LetRetry("b", Plans.NOON));
  }

  @Test
  void a_shutdown_lets_nobody_retry() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.LIMITS));
    hear(new RetryDue("a", Plans.NOON));
    hear(new ShutdownAsked());

    assertThat(now.actions()).isEmpty();
  }

  @Test
  void all_affected_clusters_are_prepared_side_by_side() {
    begin(
        ReloadPolicy.DEFAULT, added("a"), changed("b", Aspect.LIMITS), removed("c"), retried("d"));

    assertThat(now.actions())
        .containsExactly(new Begin("a"), new Prepare("b"), new Remove("c"), new Retry("d"));
  }

  @Test
  void a_prepared_cluster_switches_by_the_way_that_what_changed_asks_for() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.GATEWAYS), changed("b", Aspect.LIMITS));
    hear(new Prepared("a", UpstreamIdentity.SAME));

    assertThat(now.actions())
        .singleElement()
        .isInstanceOfSatisfying(
            ReloadAction.Switch.class,
            action -> assertThat(action.choice().way()).isEqualTo(Way.HANDOVER));
    assertThat(now.state().phase()).isEqualTo(Phase.SWITCHING);
  }

  @Test
  void it_is_done_when_every_affected_cluster_has_its_outcome() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.LIMITS), removed("b"));
    hear(new Prepared("a", UpstreamIdentity.SAME));
    hear(new Served("a"));
    assertThat(now.state().isDone()).isFalse();

    hear(new Gone("b"));
    assertThat(now.state().isDone()).isTrue();
    assertThat(outcome("a")).isInstanceOf(ClusterOutcome.Switched.class);
    assertThat(outcome("b")).isEqualTo(new ClusterOutcome.Gone());
  }

  @Test
  void what_cannot_be_prepared_beside_serves_on_and_others_go_over() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.LIMITS), changed("b", Aspect.LIMITS));
    hear(new PrepareFailed("a", CAUSE));
    assertThat(now.actions()).isEmpty();

    hear(new Prepared("b", UpstreamIdentity.SAME));
    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.Kept(CAUSE));
    assertThat(now.actions()).hasSize(1);
  }

  @Test
  void none_of_an_atomic_reload_switches_before_all_are_prepared() {
    begin(ATOMIC, added("a"), changed("b", Aspect.LIMITS), removed("c"));
    hear(new BarrierReached("a"));
    assertThat(now.actions()).isEmpty();
    assertThat(now.state().phase()).isEqualTo(Phase.PREPARING);

    hear(new Prepared("b", UpstreamIdentity.SAME));
    assertThat(now.actions())
        .extracting(action -> action.getClass().getSimpleName())
        .containsExactly("Admit", "Switch", "Remove");
  }

  @Test
  void an_atomic_reload_is_undone_if_one_cannot_be_prepared() {
    begin(
        ATOMIC, added("a"), changed("b", Aspect.LIMITS), changed("c", Aspect.LIMITS), removed("d"));
    hear(new BarrierReached("a"));
    hear(new PrepareFailed("c", CAUSE));

    assertThat(now.actions()).containsExactly(new Remove("a"), new Cancel("b"));
    assertThat(outcome("d")).isEqualTo(new ClusterOutcome.Cancelled("c"));
    hear(new Gone("a"));
    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.Cancelled("c"));
    assertThat(now.state().isDone()).isTrue();
  }

  @Test
  void an_answer_that_comes_after_the_veto_switches_nobody() {
    begin(ATOMIC, changed("a", Aspect.LIMITS), changed("b", Aspect.LIMITS));
    hear(new PrepareFailed("a", CAUSE));
    hear(new Prepared("b", UpstreamIdentity.SAME));

    assertThat(now.actions()).isEmpty();
  }

  @Test
  void a_cluster_that_fails_again_has_no_veto() {
    begin(ATOMIC, changed("a", Aspect.LIMITS), retried("b"));
    hear(new Failed("b", CAUSE));
    hear(new Prepared("a", UpstreamIdentity.SAME));

    assertThat(now.actions()).hasSize(1);
  }

  @Test
  void an_atomic_reload_that_only_removes_begins_at_once() {
    begin(ATOMIC, removed("a"));

    assertThat(now.actions()).containsExactly(new Remove("a"));
  }

  @Test
  void what_cannot_be_added_is_taken_away_again() {
    begin(ReloadPolicy.DEFAULT, added("a"));
    hear(new Failed("a", CAUSE));
    assertThat(now.actions()).containsExactly(new Remove("a"));

    hear(new Gone("a"));
    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.NotAdded(CAUSE));
  }

  @Test
  void under_keep_new_what_cannot_be_added_stays_and_has_failed() {
    begin(KEEP_NEW, added("a"));
    hear(new Failed("a", CAUSE));

    assertThat(now.actions()).containsExactly(new Admit("a"));
    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.Failed(CAUSE));
  }

  @Test
  void a_renamed_cluster_begins_when_the_old_name_is_gone() {
    begin(ReloadPolicy.DEFAULT, renamed("old", "new"), removed("old"));
    assertThat(now.actions()).containsExactly(new Remove("old"));

    hear(new Gone("old"));
    hear(new PortsFreed("new"));
    assertThat(now.actions()).containsExactly(new Begin("new"));
    hear(new BarrierReached("new"));
    assertThat(now.actions()).containsExactly(new Admit("new"));
    hear(new Served("new"));
    assertThat(now.state().isDone()).isTrue();
  }

  @Test
  void in_an_atomic_reload_too_ports_are_freed_before_they_are_needed() {
    begin(ATOMIC, removed("a"), changedAfter("b", "a"), changed("c", Aspect.LIMITS));
    assertThat(now.actions()).containsExactly(new Prepare("c"));

    hear(new Prepared("c", UpstreamIdentity.SAME));
    hear(new Gone("a"));
    hear(new PortsFreed("b"));
    assertThat(now.actions()).containsExactly(new Prepare("b"));
  }

  @Test
  void what_serves_nobody_is_set_up_and_then_admitted_where_a_barrier_holds_it() {
    begin(ReloadPolicy.DEFAULT, notServing("a"));
    hear(new BarrierReached("a"));
    assertThat(now.actions()).containsExactly(new Admit("a"));

    hear(new Served("a"));
    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.Begun());
  }

  @Test
  void what_has_begun_to_serve_while_it_waited_for_a_port_is_switched() {
    var waiting = new ClusterChange.Changed("b", Set.of(Aspect.LIMITS), false, after("a"));
    begin(ReloadPolicy.DEFAULT, removed("a"), waiting);
    hear(new Gone("a"));
    hear(new PortsFreed("b"));
    hear(new Prepared("b", UpstreamIdentity.SAME));

    assertThat(now.actions()).hasOnlyElementsOfType(ReloadAction.Switch.class);
  }

  private static SortedSet<String> after(String name) {
    return new TreeSet<>(Set.of(name));
  }

  @Test
  void what_is_set_up_at_once_is_not_undone() {
    begin(ATOMIC, changed("a", Aspect.LIMITS), notServing("b"));
    hear(new PrepareFailed("a", CAUSE));
    assertThat(now.actions()).isEmpty();

    hear(new Served("b"));
    assertThat(outcome("b")).isEqualTo(new ClusterOutcome.Begun());
  }

  @Test
  void a_roll_back_is_told_with_its_cause_and_the_way_that_was_tried() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.UPSTREAM_ADDRESSES));
    hear(new Prepared("a", UpstreamIdentity.OTHER));
    hear(new RolledBack("a", CAUSE));

    assertThat(outcome("a"))
        .isInstanceOfSatisfying(
            ClusterOutcome.RolledBack.class,
            back -> {
              assertThat(back.cause()).isEqualTo(CAUSE);
              assertThat(back.choice().way()).isEqualTo(Way.DRAIN);
            });
  }

  @Test
  void a_roll_back_that_fails_is_a_failure() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.UPSTREAM_ADDRESSES));
    hear(new Prepared("a", UpstreamIdentity.OTHER));
    hear(new Failed("a", CAUSE));

    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.Failed(CAUSE));
  }

  @Test
  void what_a_cluster_refuses_is_its_outcome() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.LIMITS));
    hear(new Refused("a", "It drains."));

    assertThat(outcome("a")).isEqualTo(new ClusterOutcome.Refused("It drains."));
    assertThat(now.state().isDone()).isTrue();
  }

  @Test
  void a_shutdown_in_the_middle_ends_it_without_a_further_action() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.LIMITS), renamed("b", "c"), removed("b"));
    hear(new ShutdownAsked());

    assertThat(now.actions()).isEmpty();
    assertThat(now.state().isDone()).isTrue();
    assertThat(outcome("c")).isEqualTo(new ClusterOutcome.CutShort());
    hear(new Prepared("a", UpstreamIdentity.SAME));
    assertThat(now.actions()).isEmpty();
  }

  @Test
  void facts_about_clusters_that_are_not_affected_change_nothing() {
    begin(ReloadPolicy.DEFAULT, changed("a", Aspect.LIMITS));
    var before = now.state();
    hear(new Failed("elsewhere", CAUSE));

    assertThat(now).isEqualTo(new ReloadStep(before, List.of()));
  }

  private void begin(ReloadPolicy policy, ClusterChange... changes) {
    now = Reload.begin(plan(changes), policy);
  }

  private void hear(ReloadEvent event) {
    now = Reload.on(now.state(), event);
  }

  private ClusterOutcome outcome(String name) {
    return now.state().outcome(name).orElseThrow();
  }
}
