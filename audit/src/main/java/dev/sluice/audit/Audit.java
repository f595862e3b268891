package dev.sluice.audit;

import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.LogWitness;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One audit: load, and the books of it. Its methods are called by one thread, in the order {@link
 * #start}, {@link #awaitWarm}, {@link #enter}, {@link #finish}, {@link #close}.
 */
public final class Audit implements AutoCloseable {

  private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(40);
  private static final Duration LOOK = Duration.ofMillis(50);

  private final AuditPlan plan;
  private final RunName run;
  private final Crew crew;
  private final LogWitness log;
  private final LogSource.Tap tap;
  private final List<String> unproven = new ArrayList<>();

  private Audit(AuditPlan plan, RunName run, LogSource logs) throws InterruptedException {
    this.plan = plan;
    this.run = run;
    log = new LogWitness(RunName.PREFIX);
    crew = new Crew(plan, run);
    crew.books().forEach(book -> log.register(run.of(book.client()), book.noticed()));
    tap = logs.listen(log);
  }

  /**
   * Makes the topics and starts the clients.
   *
   * @param logs where the log of the Java clients is read
   * @throws IllegalStateException if the cluster did not do what an audit needs
   */
  public static Audit start(AuditPlan plan, LogSource logs) throws InterruptedException {
    RunName run = RunName.any();
    var audit = new Audit(plan, run, logs);
    try {
      audit.crew.board();
      audit.crew.start();
      return audit;
    } catch (IllegalStateException | InterruptedException e) {
      audit.close();
      throw e;
    }
  }

  /** Clients that were asked for and cannot run, and why. */
  public List<String> skipped() {
    return crew.skipped();
  }

  /**
   * Waits until every client has made progress, then begins the baseline.
   *
   * @return clients that made none within {@link AuditPlan#warmLimit}: the verdict will say so
   */
  public List<String> awaitWarm() throws InterruptedException {
    await(plan.warmLimit(), () -> cold().isEmpty());
    List<String> cold = cold();
    enter(Window.BASELINE);
    return cold;
  }

  /** What comes from now on belongs to this window. */
  public void enter(Window window) {
    crew.books().forEach(book -> book.enter(window));
    log.nobody().enter(window);
  }

  /** How many records were sent so far, of all producers. */
  public long sent() {
    return crew.channels().stream().mapToLong(channel -> channel.written().sent()).sum();
  }

  /** How often this was noticed so far, by all clients. */
  public long noticed(Measure measure) {
    return crew.books().stream()
        .mapToLong(
            book ->
                Arrays.stream(Window.values())
                    .mapToLong(window -> book.noticed().count(measure, window))
                    .sum())
        .sum();
  }

  /** Ends the load, reads everything once more, waits for readers that are behind, and reports. */
  public AuditReport finish() throws InterruptedException {
    crew.rest();
    unproven.addAll(
        new Witness(
                crew.channels(),
                plan.partitions(),
                Witness.settings(plan.witnessServers(), run, "end"))
            .read());
    await(CATCH_UP_LIMIT, () -> crew.readers().stream().allMatch(ReaderBook::hasCaughtUp));
    crew.leave();
    return new AuditReport(reports(), crew.skipped(), unproven);
  }

  /** Ends whatever still runs and removes the topics. */
  @Override
  public void close() {
    try {
      crew.leave();
      crew.removeTopics();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      tap.close();
    }
  }

  private List<ClientReport> reports() {
    var reports = new ArrayList<ClientReport>();
    crew.channels().forEach(channel -> reports.add(channel.report()));
    crew.readers().forEach(reader -> reports.add(reader.report()));
    return reports;
  }

  private List<String> cold() {
    return crew.books().stream()
        .filter(book -> !book.noticed().hasProgressed())
        .map(Book::client)
        .toList();
  }

  private static void await(Duration limit, BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < until) {
      Thread.sleep(LOOK);
    }
  }
}
