package dev.sluice.simulation.roll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulation.InvariantBroken;
import dev.sluice.simulation.roll.Mutants.Mutant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation sees what it claims to see: planners that are wrong on purpose are caught. */
class MutantsTest {

  @ParameterizedTest
  @MethodSource("dev.sluice.simulation.roll.Mutants#all")
  void a_wrong_planner_is_caught_by_an_invariant_that_forbids_it(Mutant mutant) {
    Optional<Long> caught =
        LongStream.range(0, RollWorldTest.ORDINARY_SEEDS)
            .filter(
                seed ->
                    brokenBy(mutant, seed)
                        .filter(
                            broken ->
                                mutant.caughtBy().stream()
                                    .anyMatch(each -> each.name().equals(broken)))
                        .isPresent())
            .boxed()
            .findFirst();
    System.out.println("a planner that " + mutant + " is caught by seed " + caught);
    assertThat(caught).isPresent();
  }

  @Test
  void there_is_a_mutant_for_every_invariant() {
    EnumSet<Invariant> caught = EnumSet.noneOf(Invariant.class);
    Mutants.all().forEach(mutant -> caught.addAll(mutant.caughtBy()));
    assertThat(caught).containsExactlyInAnyOrder(Invariant.values());
  }

  private static Optional<String> brokenBy(Mutant mutant, long seed) {
    try {
      new RollWorld(seed, mutant.planning().get()).run();
      return Optional.empty();
    } catch (InvariantBroken broken) {
      return Optional.of(broken.invariant());
    }
  }
}
