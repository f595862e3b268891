package dev.sluice.audit;

import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Lap;
import dev.sluice.audit.ledger.LogWitness;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One audit: load, and the books of it. Its methods are called by one thread, in the order {@link
 * #start}, {@link #awaitWarm}, {@link #enter}, {@link #finish}, {@link #close}.
 */
public final class Audit implements AutoCloseable {

  private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(40);

  private final AuditPlan plan;
  private final RunName run;
  private final Crew crew;
  private final Aboard aboard = new Aboard();
  private final LogWitness log;
  private final LogSource.Tap tap;
  private final List<String> unproven = new ArrayList<>();

  private Audit(AuditPlan plan, RunName run, LogSource logs) throws InterruptedException {
    this.plan = plan;
    this.run = run;
    log = new LogWitness(RunName.PREFIX);
    crew = new Crew(plan, run);
    crew.books().forEach(book -> log.register(run.client(book.client()), book.noticed()));
    tap = logs.listen(log);
  }

  /**
   * Makes the topics; the clients are those of {@link #awaitWarm}.
   *
   * @param logs where the log of the Java clients is read
   * @throws IllegalStateException if the cluster did not do what an audit needs
   */
  public static Audit start(AuditPlan plan, LogSource logs) throws InterruptedException {
    RunName any = RunName.any();
    RunName run = plan.names().map(any::named).orElse(any);
    var audit = new Audit(plan, run, logs);
    try {
      audit.crew.makeTopics();
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
   * Starts the clients one by one, raises the load until all keep up with it, then begins the
   * baseline.
   *
   * @param told is given a line for every step of it
   * @return clients that made no progress within {@link AuditPlan#warmLimit}
   */
  public List<String> awaitWarm(Consumer<String> told) throws InterruptedException {
    List<String> cold =
        new WarmUp(crew.berths(), aboard, plan.load(), WarmUp.Bounds.within(plan.warmLimit()), told)
            .run();
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

  /** What each client noticed since this was last asked for. */
  public SortedMap<String, Lap> lap() {
    var laps = new TreeMap<String, Lap>();
    crew.books().forEach(book -> laps.put(book.client(), book.noticed().lap()));
    return laps;
  }

  /** Ends the load, reads everything once more, waits for readers that are behind, and reports. */
  public AuditReport finish() throws InterruptedException {
    aboard.rest();
    unproven.addAll(
        new Witness(
                crew.channels(),
                plan.partitions(),
                Witness.settings(plan.witnessServers(), run, "end"))
            .read());
    Patience.await(CATCH_UP_LIMIT, () -> crew.readers().stream().allMatch(ReaderBook::hasCaughtUp));
    aboard.leave();
    return new AuditReport(reports(), crew.skipped(), unproven);
  }

  /** Ends whatever still runs and removes the topics. */
  @Override
  public void close() {
    try {
      aboard.leave();
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
}
