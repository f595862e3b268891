package dev.sluice.simulation.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.Step;
import dev.sluice.simulation.InvariantBroken;
import dev.sluice.simulation.lifecycle.Mutants.Mutant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation sees what it claims to see: decisions that are wrong on purpose are caught. */
class MutantsTest {

  @ParameterizedTest
  @MethodSource("dev.sluice.simulation.lifecycle.Mutants#all")
  void a_wrong_decision_is_caught_by_the_invariant_that_forbids_it(Mutant mutant) {
    var caught =
        LongStream.range(0, LifecycleWorldTest.ORDINARY_SEEDS)
            .mapToObj(seed -> brokenBy(mutant, seed))
            .flatMap(Optional::stream)
            .filter(mutant.caughtBy().name()::equals)
            .findFirst();
    assertThat(caught).isPresent();
  }

  @Test
  void there_is_a_mutant_for_every_invariant() {
    var caught = EnumSet.noneOf(Invariant.class);
    for (var mutant : Mutants.all()) {
      caught.add(mutant.caughtBy());
    }
    assertThat(caught).containsExactlyInAnyOrder(Invariant.values());
  }

  @Test
  void the_sample_comes_by_every_reason_that_there_is() {
    var seen = EnumSet.of(Reason.Code.FIRST_CONFIGURATION);
    Seeds.run(LongStream.range(0, LifecycleWorldTest.ORDINARY_SEEDS), () -> new Notes(seen));
    assertThat(seen).containsExactlyInAnyOrder(Reason.Code.values());
  }

  private record Notes(Set<Reason.Code> seen) implements Decisions {
    @Override
    public Step on(String cluster, ClusterState state, ClusterEvent event) {
      var step = Decisions.super.on(cluster, state, event);
      seen.add(step.reason().code());
      return step;
    }
  }

  private static Optional<String> brokenBy(Mutant mutant, long seed) {
    try {
      new LifecycleWorld(seed, mutant.decisions().get()).run();
      return Optional.empty();
    } catch (InvariantBroken broken) {
      return Optional.of(broken.invariant());
    }
  }
}
