package dev.sluice.simulation.quiet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever client, broker and proxy do, a drain keeps its promises. */
class QuietWorldTest {

  /** The ordinary run; a mutant has to be caught within as many. */
  static final int ORDINARY_SEEDS = 3_000;

  private static final int MANY_SEEDS = 200_000;

  @Test
  void a_sample_of_seeds_breaks_nothing() {
    QuietSeeds.run(LongStream.range(0, ORDINARY_SEEDS), QuietDecisions.REAL);
  }

  /**
   * 74: a response overtook a held request. 533: a switch failed. 37553: the end was sent between
   * reading on and the request that was parked.
   */
  @Test
  void seeds_that_once_failed_break_nothing() {
    QuietSeeds.run(LongStream.of(74, 533, 37553), QuietDecisions.REAL);
  }

  @Test
  @Tag("acceptance")
  void many_seeds_break_nothing() {
    QuietSeeds.run(
        LongStream.range(ORDINARY_SEEDS, ORDINARY_SEEDS + MANY_SEEDS), QuietDecisions.REAL);
  }

  @Test
  void a_seed_gives_the_same_run_again() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(QuietSeeds.hash(seed)).isEqualTo(QuietSeeds.hash(seed));
    }
  }
}
