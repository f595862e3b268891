package dev.sluice.app.reload;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Rejected;
import dev.sluice.app.configuration.Finding;
import dev.sluice.app.configuration.Finding.Severity;
import dev.sluice.app.configuration.FixedSections;
import dev.sluice.app.reload.ReloadResult.Ending;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ReloadReport;
import dev.sluice.proxy.ReloadReport.Verdict;
import dev.sluice.proxy.ReloadRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the configuration of a running proxy, whoever asks. Safe for use from every thread; reads
 * files on the calling one, and does not wait for clusters.
 */
public final class Reloader {

  /** How a text that came with a call is called. */
  public static final String REQUEST_BODY = "request body";

  private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

  private final Proxy proxy;
  private final ReloadFiles files;
  private final Clock clock;
  private final OwnKeys ownKeys;
  private final AtomicLong numbers = new AtomicLong();
  private final List<ReloadListener> listeners = new CopyOnWriteArrayList<>();
  private final Object order = new Object();
  private final ReloadResults results = new ReloadResults();

  /** What the latest reload that was not refused asked for, or the process began with. */
  private volatile Configuration asked;

  /** Whose files are looked at: what the file says, or a call that was taken after it. */
  private volatile Followed followed;

  private volatile Origin origin;

  /**
   * @param began what the proxy runs
   */
  public Reloader(Proxy proxy, ReloadFiles files, Configuration began, Clock clock) {
    this(proxy, files, began, clock, OwnKeys.NONE);
  }

  /**
   * @param began what the proxy runs
   * @param ownKeys opened with every configuration before anything is touched
   */
  public Reloader(
      Proxy proxy, ReloadFiles files, Configuration began, Clock clock, OwnKeys ownKeys) {
    this.ownKeys = ownKeys;
    this.proxy = proxy;
    this.files = files;
    this.clock = clock;
    this.asked = began;
    this.followed = new Followed(began, files.source(), files::read);
    this.origin = new Origin(files.source(), clock.instant(), 0, true);
  }

  /** The file that {@link #reloadFile} reads. */
  public Optional<Path> path() {
    return files.path();
  }

  /** Whether changes of files reload by themselves. */
  public boolean watches() {
    return asked.reload().watch();
  }

  /** Where what runs came from. */
  public Origin origin() {
    return origin;
  }

  /** The last reload that has ended. */
  public Optional<ReloadResult> last() {
    return results.last();
  }

  /** What has become of a reload; empty: it has not ended, or is not known (any more). */
  public Optional<ReloadResult> result(long number) {
    return results.of(number);
  }

  /** Whether a reload was asked for and has not ended. */
  public boolean isUnderWay(long number) {
    return results.isUnderWay(number);
  }

  /** Adds somebody who hears of every reload. */
  public void listen(ReloadListener listener) {
    listeners.add(listener);
  }

  /** What has been asked for: 0 is the number of what is only planned. */
  public record Asked(long number, CompletionStage<ReloadResult> result) {}

  /** Reads the file again. */
  public Asked reloadFile(String askedBy) {
    synchronized (order) {
      var asking = begin(askedBy, files.source());
      return new Asked(asking.number(), reload(asking, files::read));
    }
  }

  /** Takes a text in the place of the file, until that is read again. */
  public Asked reloadText(String askedBy, String text) {
    synchronized (order) {
      var asking = begin(askedBy, REQUEST_BODY);
      return new Asked(asking.number(), reload(asking, () -> files.read(text)));
    }
  }

  /** The files that the configuration names whose content is a part of it. */
  public Set<Path> namedFiles() {
    return followed.files();
  }

  /** Whether one of these has changed since the configuration was read. Blocks. */
  public boolean isOutdated() {
    return followed.isOutdated();
  }

  /** Reads again what the configuration came from, be it the file or a call. */
  public CompletionStage<ReloadResult> reloadAgain(String askedBy) {
    synchronized (order) {
      return reload(begin(askedBy, followed.source()), followed.reading());
    }
  }

  /** What {@link #reloadFile} would do. */
  public Asked planFile(String askedBy) {
    return new Asked(0, plan(asking(0, askedBy, files.source()), files.read()));
  }

  /** What {@link #reloadText} would do. */
  public Asked planText(String askedBy, String text) {
    return new Asked(0, plan(asking(0, askedBy, REQUEST_BODY), files.read(text)));
  }

  // ---- one reload ----------------------------------------------------------------------------

  private Asking begin(String askedBy, String source) {
    var asking = asking(numbers.incrementAndGet(), askedBy, source);
    results.began(asking.number());
    return asking;
  }

  private Asking asking(long number, String askedBy, String source) {
    return new Asking(number, askedBy, source, clock.instant(), System.nanoTime());
  }

  private CompletionStage<ReloadResult> plan(Asking asking, ConfigurationFile.Outcome read) {
    return switch (read) {
      case Rejected(var findings) -> ended(asking, new Ending.Invalid(findings));
      case Accepted(var next, var warnings) -> {
        var refusal = refusal(next);
        yield refusal.isEmpty()
            ? proxy
                .planReload(request(next))
                .thenApply(report -> asking.result(new Ending.Done(report, warnings)))
            : ended(asking, refusal.get());
      }
    };
  }

  private CompletionStage<ReloadResult> reload(
      Asking asking, Supplier<ConfigurationFile.Outcome> reading) {
    return switch (reading.get()) {
      case Rejected(var findings) -> ended(asking, new Ending.Invalid(findings));
      case Accepted(var next, var warnings) -> {
        var refusal = refusal(next);
        if (refusal.isPresent() && refusal.get() instanceof Ending.Unchangeable) {
          yield ended(asking, refusal.get());
        }
        var now = new Followed(next, asking.source(), reading);
        if (!asking.source().equals(REQUEST_BODY)) {
          followed = now; // Also if it fails: it is tried again when its files are mended.
        }
        if (refusal.isPresent()) {
          yield ended(asking, refusal.get());
        }
        asked = next;
        ownKeys.take(next.management());
        LOG.atInfo()
            .addKeyValue("reload", asking.number())
            .addKeyValue("askedBy", asking.askedBy())
            .addKeyValue("source", asking.source())
            .log("Reloading");
        yield proxy
            .reload(request(next))
            .thenApply(
                report -> {
                  if (isTaken(report.verdict())) {
                    followed = now;
                  }
                  return told(asking, new Ending.Done(report, warnings));
                });
      }
    };
  }

  /** Why nothing of it can be done. */
  private Optional<Ending> refusal(Configuration next) {
    var fixed = FixedSections.changed(asked, next);
    if (!fixed.isEmpty()) {
      return Optional.of(new Ending.Unchangeable(fixed));
    }
    return ownKeys
        .objection(next.management())
        .map(found -> new Finding(Severity.ERROR, "management.tls", 1, 1, found))
        .map(found -> new Ending.Invalid(List.of(found)));
  }

  private static ReloadRequest request(Configuration next) {
    return new ReloadRequest(next.proxy().virtualClusters(), next.reload().policy());
  }

  private CompletionStage<ReloadResult> ended(Asking asking, Ending ending) {
    return CompletableFuture.completedFuture(
        asking.onlyPlans() ? asking.result(ending) : told(asking, ending));
  }

  private ReloadResult told(Asking asking, Ending ending) {
    var result = asking.result(ending);
    results.ended(result);
    if (ending instanceof Ending.Done(ReloadReport report, _)) {
      remember(asking, report.verdict());
    }
    ReloadLog.tell(result);
    listeners.forEach(listener -> listener.reloaded(result));
    return result;
  }

  /** Whether at least a part of it runs. */
  private static boolean isTaken(Verdict verdict) {
    return verdict == Verdict.APPLIED || verdict == Verdict.UNCHANGED || verdict == Verdict.PARTLY;
  }

  private void remember(Asking asking, Verdict verdict) {
    boolean complete = verdict == Verdict.APPLIED || verdict == Verdict.UNCHANGED;
    if (isTaken(verdict)) {
      origin = new Origin(asking.source(), clock.instant(), asking.number(), complete);
    }
  }

  /** The errors among findings, for those who show no warnings. */
  public static List<Finding> errors(List<Finding> findings) {
    return findings.stream().filter(one -> one.severity() == Severity.ERROR).toList();
  }
}
