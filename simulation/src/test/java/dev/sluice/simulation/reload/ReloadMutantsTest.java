package dev.sluice.simulation.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulation.InvariantBroken;
import dev.sluice.simulation.reload.ReloadMutants.Mutant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation sees what it claims to see: decisions that are wrong on purpose are caught. */
class ReloadMutantsTest {

  @ParameterizedTest
  @MethodSource("dev.sluice.simulation.reload.ReloadMutants#all")
  void a_wrong_decision_is_caught_by_the_invariant_that_forbids_it(Mutant mutant) {
    var caught =
        LongStream.range(0, ReloadWorldTest.ORDINARY_SEEDS)
            .mapToObj(seed -> brokenBy(mutant, seed))
            .flatMap(Optional::stream)
            .filter(mutant.caughtBy().name()::equals)
            .findFirst();
    assertThat(caught).isPresent();
  }

  /** That resources are released once is the lifecycle's to get wrong: its mutants show it. */
  @Test
  void there_is_a_mutant_for_every_invariant_of_reloads() {
    var caught = EnumSet.of(ReloadInvariant.RELEASED_ONCE);
    for (var mutant : ReloadMutants.all()) {
      caught.add(mutant.caughtBy());
    }
    assertThat(caught).containsExactlyInAnyOrder(ReloadInvariant.values());
  }

  private static Optional<String> brokenBy(Mutant mutant, long seed) {
    try {
      new ReloadWorld(seed, mutant.decisions()).run();
      return Optional.empty();
    } catch (InvariantBroken broken) {
      return Optional.of(broken.invariant());
    } catch (RuntimeException _) {
      return Optional.empty(); // It has lost its way altogether: no invariant's merit.
    }
  }
}
