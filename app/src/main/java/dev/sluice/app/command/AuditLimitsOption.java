package dev.sluice.app.command;

import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.PauseLimit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much an audit may find before it has failed. Of each client. */
final class AuditLimitsOption {

  private static final String ZERO = "0";

  @Option(names = "--max-lost", paramLabel = "N", defaultValue = ZERO, description = "Default: 0.")
  private long lost;

  @Option(
      names = "--max-duplicated",
      paramLabel = "N",
      defaultValue = ZERO,
      description = "Default: 0.")
  private long duplicated;

  @Option(
      names = "--max-reordered",
      paramLabel = "N",
      defaultValue = ZERO,
      description = "Default: 0.")
  private long reordered;

  @Option(
      names = "--max-corrupted",
      paramLabel = "N",
      defaultValue = ZERO,
      description = "Default: 0.")
  private long corrupted;

  @Option(
      names = "--max-exceptions",
      paramLabel = "N",
      defaultValue = ZERO,
      description = "Errors that reached the application after the warm-up. Default: 0.")
  private long exceptions;

  @Option(
      names = "--max-cancelled",
      paramLabel = "N",
      description = "Requests cancelled in flight. Default: no limit.")
  private @Nullable Long cancelled;

  @Option(
      names = "--max-warnings",
      paramLabel = "N",
      description = "WARN lines in the log of a client. Default: no limit.")
  private @Nullable Long warnings;

  @Option(
      names = "--max-errors",
      paramLabel = "N",
      description = "ERROR lines in the log of a client. Default: no limit.")
  private @Nullable Long errors;

  @Option(names = "--max-rebootstraps", paramLabel = "N", description = "Default: no limit.")
  private @Nullable Long rebootstraps;

  @Option(names = "--max-rebalances", paramLabel = "N", description = "Default: no limit.")
  private @Nullable Long rebalances;

  @Option(
      names = "--max-pause",
      paramLabel = "PAUSE",
      description = "Like 2s, or 500ms-above-baseline. Default: no limit.")
  private @Nullable String pause;

  @Option(
      names = "--max-skipped",
      paramLabel = "N",
      description = "Clients that cannot run. Default: no limit.")
  private @Nullable Integer skipped;

  /** Throws {@link IllegalArgumentException} for a pause that is none. */
  Limits limits() {
    var limits =
        Limits.DEFAULT
            .with(Measure.LOST, lost)
            .with(Measure.DUPLICATED, duplicated)
            .with(Measure.REORDERED, reordered)
            .with(Measure.CORRUPTED, corrupted)
            .with(Measure.EXCEPTIONS, exceptions);
    limits = with(limits, Measure.CANCELLED, cancelled);
    limits = with(limits, Measure.WARNINGS, warnings);
    limits = with(limits, Measure.ERRORS, errors);
    limits = with(limits, Measure.REBOOTSTRAPS, rebootstraps);
    limits = with(limits, Measure.REBALANCES, rebalances);
    limits = pause == null ? limits : limits.withPause(PauseLimit.parse(pause));
    return skipped == null ? limits : limits.withMostSkipped(skipped);
  }

  private static Limits with(Limits limits, Measure measure, @Nullable Long allowed) {
    return allowed == null ? limits : limits.with(measure, allowed);
  }
}
