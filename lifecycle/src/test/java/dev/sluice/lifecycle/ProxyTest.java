package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Specimens.DEADLINE;
import static dev.sluice.lifecycle.Specimens.LATER;
import static dev.sluice.lifecycle.Specimens.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import dev.sluice.lifecycle.Readiness.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the proxy as a whole looks like: its state, its readiness, its start-up barrier. */
class ProxyTest {

  private static final ClusterState REMOVED = new Stopped(1, Ending.REMOVED, Optional.empty());
  private static final ClusterState SHUT_DOWN = new Stopped(1, Ending.SHUT_DOWN, Optional.empty());

  @Test
  void it_is_starting_until_one_has_served() {
    assertThat(state("initializing", "failed (retry scheduled)")).isEqualTo(ProxyState.STARTING);
  }

  @Test
  void it_is_serving_when_all_are_and_partial_when_some_are() {
    assertThat(state("serving", "serving (leaving the former)")).isEqualTo(ProxyState.SERVING);
    assertThat(state("serving", "failed (exhausted)")).isEqualTo(ProxyState.PARTIAL);
    assertThat(state("serving", "stopped")).isEqualTo(ProxyState.PARTIAL);
  }

  @Test
  void a_removed_cluster_does_not_count() {
    var lives = List.of(life("a", specimen("serving")), life("b", REMOVED));
    assertThat(ProxyState.of(lives)).isEqualTo(ProxyState.SERVING);
  }

  @Test
  void it_is_draining_when_none_serves_and_some_drain() {
    assertThat(state("draining (shutdown)", "stopped")).isEqualTo(ProxyState.DRAINING);
  }

  @Test
  void it_is_unavailable_when_none_serves() {
    assertThat(state("failed (exhausted)")).isEqualTo(ProxyState.UNAVAILABLE);
    assertThat(state("stopped")).isEqualTo(ProxyState.UNAVAILABLE);
    assertThat(state()).isEqualTo(ProxyState.UNAVAILABLE);
  }

  @Test
  void it_is_stopped_when_it_has_shut_down() {
    var lives = List.of(life("a", SHUT_DOWN), life("b", specimen("stopped")));
    assertThat(ProxyState.of(lives)).isEqualTo(ProxyState.STOPPED);
  }

  @Test
  void all_have_to_be_ready_or_any() {
    assertThat(readiness(Policy.ALL, NOW, "serving", "failed (exhausted)").ready()).isFalse();
    assertThat(readiness(Policy.ANY, NOW, "serving", "failed (exhausted)").ready()).isTrue();
    assertThat(readiness(Policy.ANY, NOW, "failed (exhausted)").ready()).isFalse();
  }

  @Test
  void it_says_who_is_not_ready_and_why() {
    assertThat(readiness(Policy.ALL, NOW, "serving", "failed (exhausted)").reasons())
        .containsExactly("failed (exhausted) is failed: Because.");
  }

  @Test
  void a_reload_within_its_budget_is_ready() {
    assertThat(readiness(Policy.ALL, DEADLINE, "draining (reload)").ready()).isTrue();
    assertThat(readiness(Policy.ALL, LATER, "draining (reload)").ready()).isFalse();
    assertThat(readiness(Policy.ALL, LATER, "initializing (after a drain)").ready()).isTrue();
    assertThat(readiness(Policy.ALL, LATER, "initializing (rolling back)").ready()).isTrue();
    assertThat(readiness(Policy.ALL, LATER.plusSeconds(1), "initializing (after a drain)").ready())
        .isFalse();
  }

  @Test
  void what_a_person_drained_is_not_asked_for() {
    assertThat(readiness(Policy.ALL, NOW, "serving", "stopped", "draining (person)").ready())
        .isTrue();
  }

  @Test
  void a_proxy_that_shuts_down_or_has_nothing_to_serve_is_not_ready() {
    assertThat(readiness(Policy.ANY, NOW, "serving", "draining (shutdown)").ready()).isFalse();
    assertThat(readiness(Policy.ALL, NOW).ready()).isFalse();
  }

  @Test
  void where_none_is_served_before_all_the_barrier_opens_when_all_are_prepared() {
    assertThat(StartUp.barrier(Serve.NONE)).isEqualTo(Barrier.CLOSED);
    assertThat(opens("initializing (prepared)", "initializing (prepared)", "stopped")).isTrue();
    assertThat(opens("initializing (prepared)", "initializing (behind the barrier)")).isFalse();
    assertThat(opens("initializing (prepared)", "failed (behind the barrier)")).isFalse();
  }

  @Test
  void where_the_remaining_are_served_there_is_no_barrier() {
    assertThat(StartUp.barrier(Serve.REMAINING)).isEqualTo(Barrier.OPEN);
  }

  private static boolean opens(String... specimens) {
    return StartUp.opensBarrier(Stream.of(specimens).map(ProxyTest::specimen).toList());
  }

  private static ProxyState state(String... specimens) {
    return ProxyState.of(lives(specimens));
  }

  private static Readiness readiness(Policy policy, Instant now, String... specimens) {
    return Readiness.of(policy, lives(specimens), now);
  }

  private static List<Life> lives(String... specimens) {
    return Stream.of(specimens).map(name -> life(name, specimen(name))).toList();
  }

  private static ClusterState specimen(String name) {
    return Specimens.state(name);
  }

  private static Life life(String name, ClusterState state) {
    var reason = new Reason(Reason.Code.PREPARED, "Because.");
    boolean served = state.kind() == ClusterState.Kind.SERVING;
    return new Life(
        name, state, NOW, reason, History.EMPTY, 2, served, Optional.empty(), Optional.empty());
  }
}
