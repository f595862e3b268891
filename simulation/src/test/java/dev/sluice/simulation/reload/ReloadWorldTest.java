package dev.sluice.simulation.reload;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is asked for and whatever fails: what runs is what was accepted, or its roll-back. */
class ReloadWorldTest {

  /** The ordinary run; a mutant has to be caught within as many. */
  static final int ORDINARY_SEEDS = 3_000;

  private static final int MANY_SEEDS = 300_000;

  @Test
  void a_sample_of_seeds_breaks_nothing() {
    run(LongStream.range(0, ORDINARY_SEEDS));
  }

  @Test
  @Tag("acceptance")
  void many_seeds_break_nothing() {
    run(LongStream.range(ORDINARY_SEEDS, ORDINARY_SEEDS + MANY_SEEDS));
  }

  private static void run(LongStream seeds) {
    seeds.forEach(ReloadWorldTest::run);
  }

  /** The seed that fails is the first thing that a failure says. */
  private static void run(long seed) {
    var world = new ReloadWorld(seed, ReloadDecisions.REAL);
    try {
      world.run();
    } catch (RuntimeException broken) {
      var lines = String.join("\n", world.trace().lastLines());
      throw new AssertionError("seed " + seed + ": " + broken + "\n" + lines, broken);
    }
  }
}
