package dev.sluice.simulation.quiet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.quiet.Because;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.quiet.QuietEvent;
import dev.sluice.lifecycle.quiet.QuietState;
import dev.sluice.lifecycle.quiet.QuietStep;
import dev.sluice.simulation.InvariantBroken;
import dev.sluice.simulation.quiet.QuietMutants.Mutant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation sees what it claims to see: decisions that are wrong on purpose are caught. */
class QuietMutantsTest {

  @ParameterizedTest
  @MethodSource("dev.sluice.simulation.quiet.QuietMutants#all")
  void a_wrong_decision_is_caught_by_the_invariant_that_forbids_it(Mutant mutant) {
    var caught =
        LongStream.range(0, QuietWorldTest.ORDINARY_SEEDS)
            .mapToObj(seed -> brokenBy(mutant, seed))
            .flatMap(Optional::stream)
            .filter(mutant.caughtBy().name()::equals)
            .findFirst();
    assertThat(caught).isPresent();
  }

  @Test
  void there_is_a_mutant_for_every_invariant() {
    var caught = EnumSet.noneOf(QuietInvariant.class);
    for (var mutant : QuietMutants.all()) {
      caught.add(mutant.caughtBy());
    }
    assertThat(caught).containsExactlyInAnyOrder(QuietInvariant.values());
  }

  @Test
  void the_sample_comes_by_every_reason_and_every_outcome() {
    var reasons = EnumSet.noneOf(Because.class);
    var outcomes = EnumSet.noneOf(Outcome.class);
    QuietSeeds.run(
        LongStream.range(0, QuietWorldTest.ORDINARY_SEEDS), () -> new Notes(reasons, outcomes));
    assertThat(reasons).containsExactlyInAnyOrder(Because.values());
    assertThat(outcomes).containsExactlyInAnyOrder(Outcome.values());
  }

  private record Notes(Set<Because> reasons, Set<Outcome> outcomes) implements QuietDecisions {
    @Override
    public QuietStep on(QuietState state, QuietEvent event) {
      var step = QuietDecisions.super.on(state, event);
      reasons.add(step.because());
      switch (step.state()) {
        case QuietState.Closed(var report) -> outcomes.addAll(report.outcomes().keySet());
        case QuietState.Switched(_, var report) -> outcomes.addAll(report.outcomes().keySet());
        case QuietState.Open _, QuietState.Quieting _ -> {}
      }
      return step;
    }
  }

  private static Optional<String> brokenBy(Mutant mutant, long seed) {
    try {
      new QuietWorld(seed, mutant.decisions(), false).run();
      return Optional.empty();
    } catch (InvariantBroken broken) {
      return Optional.of(broken.invariant());
    }
  }
}
