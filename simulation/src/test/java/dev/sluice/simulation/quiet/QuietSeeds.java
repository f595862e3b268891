package dev.sluice.simulation.quiet;

import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Runs worlds by seed. The seed that fails is the first thing that a failure says. */
final class QuietSeeds {

  private QuietSeeds() {}

  /** Runs all; the first that breaks an invariant ends it. */
  static void run(LongStream seeds, Supplier<QuietDecisions> decisions) {
    seeds.forEach(seed -> run(seed, decisions));
  }

  private static void run(long seed, Supplier<QuietDecisions> decisions) {
    try {
      new QuietWorld(seed, decisions.get(), false).run();
    } catch (RuntimeException broken) {
      throw new AssertionError(
          "seed " + seed + ": " + broken + "\n" + story(seed, decisions), broken);
    }
  }

  /** The same run once more, written down. */
  private static String story(long seed, Supplier<QuietDecisions> decisions) {
    var world = new QuietWorld(seed, decisions.get(), true);
    try {
      world.run();
    } catch (RuntimeException again) {
      return String.join("\n", world.trace().lastLines());
    }
    return "it does not break when it is run again: something beside the seed decides";
  }

  /** What happens in a run, as a hash. */
  static String hash(long seed) {
    return new QuietWorld(seed, QuietDecisions.REAL.get(), true).run().hash();
  }
}
