package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That a run runs; how fast is nothing to test. */
@Tag("acceptance")
class SideBySideIT {

  private static final Path DISTRIBUTIONS = Path.of("../app/target");
  private static final double A_FEW_MEGABYTES = 0.004;
  private static final int A_FEW_CONNECTIONS = 1_100;

  @Test
  void every_arm_passes_everything_and_nothing_is_left() throws Exception {
    var programs = Programs.find(launcher(), Path.of("peers"));
    var arms = Stream.of(Arm.values()).filter(arm -> able(arm, programs)).toList();
    var plan =
        new BenchPlan(
            A_FEW_MEGABYTES,
            A_FEW_MEGABYTES,
            1,
            arms,
            List.of(Workload.values()),
            A_FEW_CONNECTIONS,
            LoadRequest.USUAL_LINGER_MILLIS,
            1,
            OptionalInt.empty());
    var said = new ByteArrayOutputStream();
    try (var bench =
        SideBySide.start(plan, programs, new PrintStream(said, true, StandardCharsets.UTF_8))) {
      for (var workload : plan.workloads()) {
        var found = bench.run(workload);
        assertThat(found.samples().stream().map(Sample::arm).distinct())
            .as("%s: %s", workload, said.toString(StandardCharsets.UTF_8))
            .containsExactlyInAnyOrderElementsOf(plan.arms(workload));
        assertThat(found.samples()).allMatch(one -> Double.isFinite(one.value()));
      }
    }
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

  private static boolean able(Arm arm, Programs programs) {
    var lacks = programs.lacks(arm);
    lacks.ifPresent(why -> System.out.println("SKIPPED: arm " + arm.label() + ": " + why));
    return lacks.isEmpty();
  }

  private static Path launcher() throws IOException {
    if (!Files.isDirectory(DISTRIBUTIONS)) {
      return DISTRIBUTIONS.resolve("none");
    }
    try (var found = Files.list(DISTRIBUTIONS)) {
      return found
          .map(folder -> folder.resolve("bin").resolve("sluice").toAbsolutePath())
          .filter(Files::isExecutable)
          .findFirst()
          .orElse(DISTRIBUTIONS.resolve("none"));
    }
  }
}
