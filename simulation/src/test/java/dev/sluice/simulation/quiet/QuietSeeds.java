package dev.sluice.simulation.quiet;

import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Runs worlds by seed. The seed that fails is the first thing that a failure says. */
final class QuietSeeds {

  private QuietSeeds() {}

  /** Runs all; the first that breaks an invariant ends it. */
  static void run(LongStream seeds, Supplier<QuietDecisions> decisions) {
    seeds.forEach(seed -> run(seed, decisions.get()));
  }

  static QuietWorld run(long seed, QuietDecisions decisions) {
    var world = new QuietWorld(seed, decisions);
    try {
      world.run();
    } catch (RuntimeException broken) {
      throw new AssertionError(
          "seed "
              + seed
              + ": "
              + broken
              + "\n"
              + world.habits()
              + "\n"
              + String.join("\n", world.trace().lastLines()),
          broken);
    }
    return world;
  }
}
