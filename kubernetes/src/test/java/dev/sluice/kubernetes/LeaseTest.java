package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.LeaseRule.Verdict;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient client = server.client();
  private final Api api = new Api(client, SimKubelet.NAMESPACE);
  private final List<String> lost = new CopyOnWriteArrayList<>();

  @AfterEach
  void end() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "'',      1, 1,  0, FREE",
    "me,      1, 1,  0, FREE",
    "another, 1, 1,  0, UNDECIDED",
    "another, 1, 1, 29, UNDECIDED",
    "another, 1, 1, 31, FREE",
    "another, 2, 1,  0, HELD",
    "another, 2, 1, 31, FREE"
  })
  void who_renews_holds_and_who_does_not_has_lost(
      String holder, String version, String first, int seconds, Verdict verdict) {
    assertThat(new LeaseRule(holder, version, LONG).judge("me", first, Duration.ofSeconds(seconds)))
        .isEqualTo(verdict);
  }

  @Test
  void the_second_waits_and_acts_once_the_first_gives_it_back() throws Exception {
    var second = watch("second", LONG);
    try (var first = watch("first", LONG).attempt(lost::add).orElseThrow()) {
      assertThat(first.held()).isTrue();
      assertThat(second.attempt(lost::add)).isEmpty();
      assertThat(second.holder()).isEqualTo("first");
    }
    try (var now = second.attempt(lost::add).orElseThrow()) {
      assertThat(now.held()).isTrue();
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void a_holder_that_renews_is_named_to_whoever_wants_to_act() throws Exception {
    var second = watch("second", LONG);
    try (var _ = watch("first", Duration.ofSeconds(5)).attempt(lost::add).orElseThrow()) {
      assertThat(second.attempt(lost::add)).isEmpty();
      await("a renewal is seen")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> second.attempt(lost::add))
                      .isInstanceOf(LeaseWatch.HeldException.class)
                      .hasMessageContaining("found that first holds the lease"));
    }
  }

  @Test
  void a_lease_that_cannot_be_renewed_is_given_up_before_its_end() throws Exception {
    try (var lease = watch("first", Duration.ofSeconds(3)).attempt(lost::add).orElseThrow()) {
      server.refuse("PUT /apis/coordination", ApiException.FORBIDDEN, "no");

      await("is told").atMost(PATIENCE).until(() -> !lost.isEmpty());
      assertThat(lease.held()).isFalse();
      assertThat(lost).singleElement().asString().contains("the permission to update leases");
    }
  }

  @Test
  void a_lease_that_somebody_took_is_lost_at_once() throws Exception {
    try (var lease = watch("first", Duration.ofSeconds(5)).attempt(lost::add).orElseThrow()) {
      LeaseThief.take(client);

      await("is told").atMost(PATIENCE).until(() -> !lost.isEmpty());
      assertThat(lease.held()).isFalse();
      assertThat(lost).containsExactly("the lease of this cluster was lost: thief took it");
    }
  }

  @Test
  void a_holder_that_died_is_succeeded_after_its_time() throws Exception {
    var dead = watch("dead", Duration.ofSeconds(1)).attempt(lost::add).orElseThrow();
    server.refuse("PUT /apis/coordination", ApiException.FORBIDDEN, "it is dead");
    await("it has given up").atMost(PATIENCE).until(() -> !dead.held());
    var second = watch("second", LONG);
    assertThat(second.attempt(lost::add)).isEmpty();
    server.allow("PUT /apis/coordination");
    dead.close();

    await("the second has it")
        .atMost(PATIENCE)
        .until(() -> second.attempt(lost::add), Optional::isPresent)
        .orElseThrow()
        .close();
  }

  private LeaseWatch watch(String me, Duration duration) {
    return new LeaseWatch(api, "c", me, duration);
  }
}
