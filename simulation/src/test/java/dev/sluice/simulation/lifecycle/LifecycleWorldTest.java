package dev.sluice.simulation.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever happens, the invariants hold, and in the end everything settles. */
class LifecycleWorldTest {

  /** The ordinary run; a mutant has to be caught within as many. */
  static final int ORDINARY_SEEDS = 3_000;

  private static final int MANY_SEEDS = 300_000;

  @Test
  void a_sample_of_seeds_breaks_nothing() {
    Seeds.run(LongStream.range(0, ORDINARY_SEEDS), Decisions.REAL);
  }

  @Test
  void seeds_that_once_failed_break_nothing() throws IOException {
    Seeds.run(Seeds.corpus(), Decisions.REAL);
  }

  @Test
  @Tag("acceptance")
  void many_seeds_break_nothing() {
    Seeds.run(LongStream.range(ORDINARY_SEEDS, ORDINARY_SEEDS + MANY_SEEDS), Decisions.REAL);
  }

  @Test
  void a_seed_gives_the_same_run_on_every_machine() throws IOException {
    var traces = Seeds.tracesOf(1, 2, 3, 4, 5);
    assertThat(traces)
        .as(
            "the runs changed; if that was meant:%n  mvn -Pquick -pl simulation -am test"
                + " -Dtest='LifecycleWorld*' -Dgenerate=true"
                + " -Dsurefire.failIfNoSpecifiedTests=false%n")
        .isEqualTo(Seeds.recorded(traces));
  }
}
