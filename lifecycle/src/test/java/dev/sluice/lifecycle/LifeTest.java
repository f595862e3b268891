package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Specimens.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.Prepared;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Kind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LifeTest {

  private static final Instant LATER = NOW.plusSeconds(1);

  @Test
  void a_life_begins_by_preparing_its_first_generation() {
    var begun = Life.begin("orders", Barrier.OPEN, NOW);
    assertThat(begun.step().actions()).containsExactly(new Action.PrepareGeneration(1, 1));
    assertThat(begun.life().state().kind()).isEqualTo(Kind.INITIALIZING);
    assertThat(begun.life().history()).isEqualTo(History.EMPTY);
  }

  @Test
  void a_transition_says_when_from_where_to_where_why_and_of_which_generation() {
    var serving = begin().on(new Prepared(1, 1), LATER).life();
    assertThat(serving.history().transitions())
        .containsExactly(
            new Transition(LATER, Kind.INITIALIZING, Kind.SERVING, serving.reason(), 1));
    assertThat(serving.since()).isEqualTo(LATER);
    assertThat(serving.hasServed()).isTrue();
  }

  @Test
  void what_is_noted_is_not_in_the_history_and_does_not_begin_the_state_anew() {
    var serving = begin().on(new Prepared(1, 1), NOW).life();
    var preparing = serving.on(new ConfigurationAccepted(2), LATER).life();
    assertThat(preparing.history()).isEqualTo(serving.history());
    assertThat(preparing.since()).isEqualTo(NOW);
  }

  @Test
  void the_last_failure_stays_visible_while_the_former_generation_serves() {
    var serving = begin().on(new Prepared(1, 1), NOW).life();
    var preparing = serving.on(new ConfigurationAccepted(2), LATER).life();
    var after = preparing.on(new PrepareFailed(Specimens.failure(2), Specimens.EXHAUSTED), LATER);
    assertThat(after.life().state().kind()).isEqualTo(Kind.SERVING);
    assertThat(after.life().lastFailure()).contains(Specimens.failure(2));
  }

  @Test
  void a_number_is_not_given_twice_also_when_its_generation_failed() {
    var serving = begin().on(new Prepared(1, 1), NOW).life();
    var preparing = serving.on(new ConfigurationAccepted(serving.nextGeneration()), LATER).life();
    var after = preparing.on(new PrepareFailed(Specimens.failure(2), Specimens.EXHAUSTED), LATER);
    assertThat(after.life().nextGeneration()).isEqualTo(3);
  }

  @Test
  void what_is_refused_changes_nothing() {
    var life = begin();
    assertThat(life.on(new RetryAsked(), LATER).life()).isSameAs(life);
  }

  @Test
  void the_history_keeps_the_last_hundred_and_counts_all() {
    var life = begin();
    for (int failures = 0; failures < 75; failures++) {
      life = life.on(new PrepareFailed(failure(1), Specimens.EXHAUSTED), NOW).life();
      life = life.on(new RetryAsked(), LATER).life();
    }
    assertThat(life.history().transitions()).hasSize(History.LENGTH);
    assertThat(life.history().total()).isEqualTo(150);
    assertThat(life.history().transitions().getLast().to()).isEqualTo(Kind.INITIALIZING);
  }

  @Test
  void a_name_that_comes_back_begins_a_new_life_that_remembers_the_end_of_the_former() {
    var stopped = begin().on(new RemovalAsked(LATER), LATER).life();
    var again = stopped.beginAgain(Barrier.OPEN, LATER.plusSeconds(1)).life();
    assertThat(again.generation()).isEqualTo(1);
    assertThat(again.former()).contains(new Life.Former(LATER, Ending.REMOVED, stopped.reason()));
  }

  @Test
  void a_life_that_goes_on_does_not_begin_again() {
    var life = begin();
    assertThatThrownBy(() -> life.beginAgain(Barrier.OPEN, LATER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("found initializing");
  }

  private static Life begin() {
    return Life.begin("orders", Barrier.OPEN, NOW).life();
  }

  private static Failure failure(int generation) {
    return Specimens.failure(generation);
  }
}
