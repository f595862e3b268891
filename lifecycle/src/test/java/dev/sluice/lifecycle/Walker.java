package dev.sluice.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.SetUp.AfterDrain;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Takes steps for a test, and remembers which edges it walked. */
final class Walker {

  private final NavigableSet<Edge> walked = new TreeSet<>();

  Taken when(String specimen, ClusterEvent event) {
    var before = Specimens.state(specimen);
    var step = Lifecycle.on(before, event);
    Edge.of(before, step).ifPresent(walked::add);
    return new Taken(step);
  }

  NavigableSet<Edge> walked() {
    return walked;
  }

  /** A step that was taken. */
  record Taken(Step step) {

    Taken becomes(ClusterState expected) {
      assertThat(step)
          .isInstanceOfSatisfying(
              Step.Moved.class, moved -> assertThat(moved.state()).isEqualTo(expected));
      return this;
    }

    /** The same state, but clients that arrive are held until this time. */
    Taken becomes(ClusterState expected, Instant until) {
      var other = (Initializing) expected;
      var setUp = (AfterDrain) other.setUp();
      return becomes(
          new Initializing(
              other.generation(),
              other.attempt(),
              new AfterDrain(setUp.retained(), setUp.fallback(), until),
              other.barrier()));
    }

    void by(Action... actions) {
      assertThat(step.actions()).isEqualTo(List.of(actions));
    }
  }
}
