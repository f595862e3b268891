package dev.sluice.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code bench/run} runs. */
@Command(
    name = "bench/run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "What a proxy costs, beside its peers: the same load, the same broker, the same minutes.",
      "Prints a table for each workload and writes it into its place in docs/performance.md; what"
          + " the page says of other workloads stays. Needs Linux and a JDK of at least 25; the arm"
          + " of a peer is skipped where the peer is not there."
    },
    footer = {
      "",
      "Examples:",
      "  bench/run                                  everything, about 35 minutes on two cores",
      "  bench/run --workloads small,latency        these alone; the page keeps the others",
      "  bench/run --gb 0.2 --rounds 1 --page none  a quick look, about 4 minutes",
      "  JAVA_OPTS=... bench/run --arms sluice      with options for the JVM of the proxy"
    })
final class BenchCommand implements Callable<Integer> {

  private static final String NO_PAGE = "none";
  private static final int SEEDS = 1_000_000;

  @Option(
      names = "--gb",
      paramLabel = "GB",
      defaultValue = "1",
      description =
          "How much each phase moves, in 10^9 bytes of records (default: ${DEFAULT-VALUE}).")
  private double gigabytes;

  @Option(
      names = "--warm-gb",
      paramLabel = "GB",
      defaultValue = "1",
      description =
          "How much of each workload each arm passes before anything counts (default:"
              + " ${DEFAULT-VALUE}).")
  private double warmGigabytes;

  @Option(
      names = "--rounds",
      paramLabel = "COUNT",
      defaultValue = "7",
      description =
          "How often; with 7 an interval holds the median with 98 %% (default:"
              + " ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--arms",
      split = ",",
      paramLabel = "ARM",
      description = "What to compare (default: all that a workload has): ${COMPLETION-CANDIDATES}.")
  private List<Arm> arms = List.of(Arm.values());

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "WORKLOAD",
      description = "What to put them to (default: everything): ${COMPLETION-CANDIDATES}.")
  private List<Workload> workloads = List.of(Workload.values());

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Of the order of arms within a round (default: by chance).")
  private @Nullable Long seed;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      defaultValue = "docs/performance.md",
      description = "Where to write the table, or none (default: ${DEFAULT-VALUE}).")
  private String page = NO_PAGE;

  @Option(
      names = "--connections",
      paramLabel = "COUNT",
      defaultValue = "10000",
      description =
          "How many idle connections are many; each takes two file descriptors of an arm (default:"
              + " ${DEFAULT-VALUE}).")
  private int idleConnections;

  @Option(
      names = "--linger",
      paramLabel = "MS",
      defaultValue = "5",
      description =
          "How long a producer's batch may wait for more in the open loop (default:"
              + " ${DEFAULT-VALUE}, as Kafka's producers have it; what direct can do is found out"
              + " with that, too).")
  private int lingerMillis;

  /** From the script, which knows where things are and has pinned this JVM. */
  @Option(names = "--sluice", hidden = true, required = true)
  private Path sluice = Path.of("");

  @Option(names = "--peers", hidden = true, required = true)
  private Path peers = Path.of("");

  @Option(names = "--arm-cpu", hidden = true)
  private @Nullable Integer armCpu;

  @Option(names = "--revision", hidden = true, defaultValue = "unknown")
  private String revision = "";

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new BenchCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var programs = Programs.find(sluice, peers);
    var plan = plan(programs);
    var report = new Report(plan, programs, revision);
    tell(PerformancePage.HEAD, report.head());
    try (var bench = SideBySide.start(plan, programs, out)) {
      for (var workload : plan.workloads()) {
        String loadBefore = Machine.load();
        tell(workload.label(), report.section(bench.run(workload), loadBefore));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  /** At once: a run that is ended in the middle has written what it has found. */
  private void tell(String part, String text) throws IOException {
    out.printf("%n%s", text);
    if (!page.equals(NO_PAGE)) {
      PerformancePage.write(Path.of(page), part, text);
    }
  }

  private BenchPlan plan(Programs programs) {
    arms.forEach(
        arm ->
            programs
                .lacks(arm)
                .ifPresent(why -> out.printf("SKIPPED: arm %s: %s%n", arm.label(), why)));
    return new BenchPlan(
        gigabytes,
        warmGigabytes,
        rounds,
        arms.stream().distinct().filter(arm -> programs.lacks(arm).isEmpty()).toList(),
        workloads.stream().distinct().toList(),
        Descriptors.connections(idleConnections),
        lingerMillis,
        Optional.ofNullable(seed).orElseGet(() -> (long) new Random().nextInt(SEEDS)),
        armCpu == null ? OptionalInt.empty() : OptionalInt.of(armCpu));
  }
}
