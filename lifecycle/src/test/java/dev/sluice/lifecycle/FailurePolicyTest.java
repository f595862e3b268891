package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Specimens.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.FailurePolicy.Aftermath;
import dev.sluice.lifecycle.FailurePolicy.Escalation;
import dev.sluice.lifecycle.FailurePolicy.Retry;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailurePolicyTest {

  private static final Retry THREE = new Retry(3, Duration.ofSeconds(5), Duration.ofSeconds(12));
  private static final FailurePolicy NONE = new FailurePolicy(Serve.NONE, Optional.of(THREE));
  private static final FailurePolicy REMAINING =
      new FailurePolicy(Serve.REMAINING, Optional.of(THREE));

  @Test
  void without_retry_recovery_is_exhausted_at_the_first_failure() {
    assertThat(FailurePolicy.DEFAULT.recoveryAfter(1, NOW, 0.5))
        .isEqualTo(new Recovery.Exhausted());
  }

  @Test
  void the_back_off_doubles_up_to_its_bound() {
    assertThat(delays(0.999_999_999)).containsExactly(5L, 10L, 12L);
  }

  @Test
  void chance_takes_up_to_half_of_the_back_off_away() {
    assertThat(NONE.recoveryAfter(1, NOW, 0).nextRetry()).contains(NOW.plusMillis(2_500));
    assertThat(NONE.recoveryAfter(1, NOW, 0.5).nextRetry()).contains(NOW.plusMillis(3_750));
  }

  @Test
  void the_retries_are_exhausted_after_the_last() {
    assertThat(NONE.recoveryAfter(3, NOW, 0)).isInstanceOf(Recovery.RetryAt.class);
    assertThat(NONE.recoveryAfter(4, NOW, 0)).isEqualTo(new Recovery.Exhausted());
  }

  @Test
  void unlimited_retries_are_never_exhausted() {
    var forEver = new Retry(Retry.UNLIMITED, Duration.ofSeconds(5), Duration.ofMinutes(1));
    var policy = new FailurePolicy(Serve.NONE, Optional.of(forEver));
    assertThat(policy.recoveryAfter(1_000_000, NOW, 0).nextRetry()).contains(NOW.plusSeconds(30));
  }

  @Test
  void a_failure_that_is_retried_is_escalated_and_the_proxy_goes_on() {
    assertThat(NONE.after(failing(Specimens.RETRY_LATER)))
        .satisfies(after -> assertThat(after.escalations()).containsExactly(Escalation.FAILED))
        .satisfies(after -> assertThat(after.shutsProxyDown()).isFalse());
  }

  @Test
  void an_exhausted_failure_is_escalated_twice_and_shuts_the_proxy_down() {
    assertThat(NONE.after(failing(Specimens.EXHAUSTED)))
        .isEqualTo(
            new Aftermath(
                List.of(Escalation.FAILED, Escalation.RETRIES_EXHAUSTED),
                true,
                "Port 9192 is taken."));
  }

  @Test
  void where_the_remaining_are_served_the_proxy_goes_on() {
    assertThat(REMAINING.after(failing(Specimens.EXHAUSTED)).shutsProxyDown()).isFalse();
  }

  @Test
  void removal_shutdown_and_a_drain_by_a_person_never_trigger_the_policy() {
    for (var state : Specimens.states().values()) {
      for (String event : new String[] {"removal asked", "shutdown asked", "drain asked"}) {
        var step = Lifecycle.on(state, Specimens.event(event));
        assertThat(NONE.after(step)).isEqualTo(Aftermath.NOTHING);
      }
    }
  }

  private static Step failing(Recovery recovery) {
    return Lifecycle.on(
        Specimens.state("initializing"),
        new ClusterEvent.PrepareFailed(Specimens.failure(2), recovery));
  }

  private static List<Long> delays(double chance) {
    return IntStream.rangeClosed(1, 3)
        .mapToObj(attempt -> NONE.recoveryAfter(attempt, NOW, chance).nextRetry().orElseThrow())
        .map(at -> Math.round(Duration.between(NOW, at).toMillis() / 1000.0))
        .toList();
  }
}
