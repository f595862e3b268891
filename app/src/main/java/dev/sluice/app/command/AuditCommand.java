package dev.sluice.app.command;

import static java.util.Objects.requireNonNull;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportJson;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Verdict;
import dev.sluice.audit.ledger.Window;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code sluice audit}. */
@Command(
    name = "audit",
    description = {
      "Run real clients through any bootstrap address and prove what was lost, duplicated,"
          + " reordered or noticed.",
      "Clients begin one by one at a tenth of the rate, until all keep up with all of it. Then comes"
          + " a baseline without event, then the window in which the event is yours to cause"
          + " (a reload, a roll). Exit status 0 only if everything stayed within the limits."
    },
    footer = {
      "",
      "Examples:",
      "  sluice audit --bootstrap localhost:9192 --for 60s",
      "  sluice audit --bootstrap localhost:9192 --clients java-plain,kafkajs"
          + " --max-pause 500ms-above-baseline",
      "",
      "Clients in other languages are set up once by audit/clients/setup."
    })
final class AuditCommand implements Callable<Integer> {

  private static final Duration PROGRESS = Duration.ofSeconds(5);
  private static final Path PROGRAMS = Path.of("audit", "target", "clients");

  private final Terminal terminal;
  @Mixin private final OutputOption output = new OutputOption();
  @Mixin private final AuditLimitsOption limits = new AuditLimitsOption();
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--bootstrap",
      required = true,
      paramLabel = "HOST:PORT",
      description = "Where the clients begin.")
  private String bootstrap = "";

  @Option(
      names = "--witness",
      paramLabel = "HOST:PORT",
      description =
          "Another way to the same cluster, past what is audited: topics are made and read there.")
  private @Nullable String witness;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      defaultValue = "60s",
      converter = Durations.class,
      description =
          "How long the load lasts once all clients are warm (default: ${DEFAULT-VALUE}).")
  private Duration lasting = Duration.ofSeconds(60);

  @Option(
      names = "--baseline",
      paramLabel = "DURATION",
      converter = Durations.class,
      description = "How much of it is the baseline (default: a third).")
  private @Nullable Duration baseline;

  @Option(
      names = "--clients",
      paramLabel = "NAMES",
      defaultValue = "java",
      description = "all, java, others, or names parted by commas (default: ${DEFAULT-VALUE}).")
  private String clients = "java";

  @Option(
      names = "--programs",
      paramLabel = "FOLDER",
      description = "Where audit/clients/setup put clients in other languages.")
  private Path programs = PROGRAMS;

  @Option(
      names = "--rate",
      paramLabel = "RECORDS",
      defaultValue = "200",
      description = "Records per second of each producer (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      defaultValue = "200",
      description = "Bytes of each value (default: ${DEFAULT-VALUE}).")
  private int size;

  AuditCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    var plan = used(this::plan);
    var judging = used(limits::limits);
    var part = baseline == null ? lasting.dividedBy(3) : baseline;
    try (var _ = new Interruption();
        var audit = Audit.start(plan, new LogbackSource())) {
      audit.skipped().forEach(client -> terminal.err().println("SKIPPED: " + client));
      audit
          .awaitWarm(step -> terminal.err().println("warm-up: " + step))
          .forEach(client -> terminal.err().println("No progress yet: " + client));
      pass(audit, Window.BASELINE, part);
      audit.enter(Window.EVENT);
      pass(audit, Window.EVENT, lasting.minus(part));
      terminal.err().println("The load has ended; reading everything once more ...");
      var report = audit.finish();
      return told(report, judging.judge(report));
    } catch (IllegalStateException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      throw new CommandFailedException("Interrupted before the end: nothing is proven.", e);
    }
  }

  private AuditPlan plan() {
    var plan =
        AuditPlan.of(bootstrap)
            .withClients(Selection.parse(clients))
            .withLoad(new Load(rate, size))
            .withPrograms(programs);
    return witness == null ? plan : plan.withWitness(witness);
  }

  private void pass(Audit audit, Window window, Duration lasts) throws InterruptedException {
    long end = System.nanoTime() + lasts.toNanos();
    terminal.err().printf("%s: %d s%n", window.shown(), lasts.toSeconds());
    for (long left = lasts.toNanos(); left > 0; left = end - System.nanoTime()) {
      Thread.sleep(Duration.ofNanos(Math.min(left, PROGRESS.toNanos())));
      terminal
          .err()
          .printf(
              "%s: %d records sent, %d requests cancelled, %d exceptions%n",
              window.shown(),
              audit.sent(),
              audit.noticed(Measure.CANCELLED),
              audit.noticed(Measure.EXCEPTIONS));
    }
  }

  private int told(AuditReport report, Verdict verdict) {
    if (output.form() == OutputOption.Form.table) {
      ReportTable.lines(report, verdict).forEach(terminal.out()::println);
    } else {
      terminal.out().println(output.text(ReportJson.tree(report, verdict)));
    }
    return verdict.passed() ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  /** What is wrong with an option is bad usage. */
  private <T> T used(Supplier<T> option) {
    try {
      return option.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          requireNonNull(spec).commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Ctrl-C ends the load, its programs and its topics before it ends the process. */
  private static final class Interruption implements AutoCloseable {

    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(30);

    private final Thread audit = Thread.currentThread();
    private final CountDownLatch left = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "audit-interruption");

    Interruption() {
      Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupt() {
      audit.interrupt();
      try {
        left.await(LEAVE_LIMIT.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      left.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process ends already: by this hook.
      }
    }
  }

  /** {@code 90s}, {@code 1m30s}. */
  static final class Durations implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
      try {
        return Duration.parse("PT" + text);
      } catch (DateTimeParseException e) {
        throw new TypeConversionException(
            "Expected a duration like 90s or 1m30s, found '%s'".formatted(text));
      }
    }
  }
}
