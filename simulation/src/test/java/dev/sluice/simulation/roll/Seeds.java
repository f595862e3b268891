package dev.sluice.simulation.roll;

import dev.sluice.planner.Plan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Runs worlds by seed. The seed that fails is the first thing that a failure says. */
final class Seeds {

  private static final String CORPUS = "seeds-that-once-failed.txt";
  private static final String TRACES = "traces.txt";

  private Seeds() {}

  /** Runs all, on all cores; the first that breaks an invariant ends it. */
  static void run(LongStream seeds, Consumer<Plan> seen, Consumer<RollWorld> after) {
    seeds.parallel().forEach(seed -> after.accept(run(seed, seen)));
  }

  static void run(LongStream seeds) {
    run(seeds, _ -> {}, _ -> {});
  }

  private static RollWorld run(long seed, Consumer<Plan> seen) {
    RollWorld world = new RollWorld(seed, Planning.REAL, seen);
    try {
      world.run();
    } catch (RuntimeException broken) {
      throw new AssertionError(
          "seed "
              + seed
              + ": "
              + broken
              + "\nmended? add the seed to "
              + CORPUS
              + "\n"
              + String.join("\n", world.trace().lastLines()),
          broken);
    }
    return world;
  }

  /** Seeds that failed once: the numbers at the beginnings of its lines. */
  static LongStream corpus() throws IOException {
    return lines(CORPUS).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .mapToLong(line -> Long.parseLong(line.strip().split(" ", 2)[0]));
  }

  /** One line for each seed: the seed and the hash of its trace. */
  static List<String> tracesOf(long... seeds) throws IOException {
    List<String> traces = new ArrayList<>();
    for (long seed : seeds) {
      traces.add(seed + " " + run(seed, _ -> {}).trace().hash());
    }
    if (Boolean.getBoolean("generate")) {
      Files.write(Path.of("src/test/resources/dev/sluice/simulation/roll", TRACES), traces);
      return List.of("written: run again without -Dgenerate=true");
    }
    return traces;
  }

  /** As another JVM wrote them: {@code -Dgenerate=true} writes them anew. */
  static List<String> recordedTraces() throws IOException {
    return lines(TRACES);
  }

  private static List<String> lines(String resource) throws IOException {
    try (var file = Seeds.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }
}
