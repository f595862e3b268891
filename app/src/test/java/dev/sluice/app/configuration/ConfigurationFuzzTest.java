package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Configurations that somebody has got wrong, in ways that know of YAML: each is accepted, or
 * refused with a place in the text and a sentence, and no sentence shows a secret. A case is made
 * from a number of its own. The seeds are in {@code src/test/fuzz}; one that fails joins them.
 */
class ConfigurationFuzzTest {

  /** In the ordinary run little, and always the same; {@code -Dfuzz.seconds} says otherwise. */
  private static final Duration DURATION = Duration.ofSeconds(Long.getLong("fuzz.seconds", 10));

  /** Side by side; each takes the next case. */
  private static final int WORKERS = Integer.getInteger("fuzz.workers", 2);

  private static final long FIRST_CASE = Long.getLong("seed", 1);
  private static final Path CORPUS = Path.of("src", "test", "fuzz");

  /** Far more than a document takes, also on a machine that does other things. */
  private static final Duration LONGEST_CASE = Duration.ofSeconds(20);

  /** Short enough to be shown whole, if it were. */
  private static final String SECRET = "s3cr3t-0f-th3-d4y";

  @TempDir private Path directory;

  private final ConfigurationFile proxies =
      new ConfigurationFile(ConfigurationSchema.load(), ConfigurationFuzzTest::environment);
  private final RollFile rolls =
      new RollFile(ConfigurationSchema.loadRoll(), ConfigurationFuzzTest::environment);

  private static Optional<String> environment(String name) {
    return name.equals("SECRET") ? Optional.of(SECRET) : Optional.empty();
  }

  @Test
  void every_seed_is_a_document_that_is_judged() throws IOException {
    for (var seed : seeds()) {
      judge(seed.text(), seed.isRoll());
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatever_is_written_is_accepted_or_refused_with_a_sentence() throws Exception {
    var seeds = seeds();
    long end = System.nanoTime() + DURATION.toNanos();
    var next = new AtomicLong(FIRST_CASE);
    long accepted = 0;
    try (var workers = Executors.newFixedThreadPool(WORKERS)) {
      Callable<Long> worker = () -> accepted(seeds, next, end);
      for (var one : workers.invokeAll(Collections.nCopies(WORKERS, worker))) {
        accepted += one.get();
      }
    }
    System.out.printf(
        "ConfigurationFuzzTest: cases %d to %d, %,d of them accepted%n",
        FIRST_CASE, next.get() - 1, accepted);
    assertThat(accepted).isPositive().isLessThan(next.get() - FIRST_CASE);
  }

  private long accepted(List<Seed> seeds, AtomicLong next, long end) {
    long accepted = 0;
    while (System.nanoTime() - end < 0) {
      long number = next.getAndIncrement();
      var random = new SplittableRandom(number);
      var seed = seeds.get(random.nextInt(seeds.size()));
      var text = new MangledYaml(random).of(seed.text());
      try {
        accepted += judge(text, seed.isRoll()) ? 1 : 0;
      } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
        throw new AssertionError("case " + number + ", add to " + CORPUS + ":\n" + text, e);
      }
    }
    return accepted;
  }

  /** What a mutation begins with. */
  private record Seed(String text, boolean isRoll) {}

  private static List<Seed> seeds() throws IOException {
    try (var files = Files.list(CORPUS)) {
      return files.sorted().map(ConfigurationFuzzTest::seed).toList();
    }
  }

  private static Seed seed(Path file) {
    try {
      return new Seed(Files.readString(file), file.getFileName().toString().startsWith("roll"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether it is accepted. */
  private boolean judge(String text, boolean isRoll) {
    long before = System.nanoTime();
    List<Finding> findings;
    boolean accepted;
    if (isRoll) {
      var outcome = rolls.read(text, directory);
      findings = outcome.findings();
      accepted = outcome instanceof RollFile.Outcome.Accepted;
    } else {
      var outcome = proxies.read(text, directory);
      findings = outcome.findings();
      accepted = outcome instanceof ConfigurationFile.Outcome.Accepted;
    }
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(LONGEST_CASE);
    boolean anyError = findings.stream().anyMatch(one -> one.severity() == Severity.ERROR);
    assertThat(accepted).isNotEqualTo(anyError);
    for (var finding : findings) {
      assertThat(finding.message()).isNotBlank().doesNotContain(SECRET);
      assertThat(finding.line()).isPositive();
      assertThat(finding.column()).isPositive();
    }
    return accepted;
  }
}
