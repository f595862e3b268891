package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.reload.ClusterChange;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.lifecycle.reload.ReloadPlan;
import dev.sluice.lifecycle.reload.Strategy;
import dev.sluice.lifecycle.reload.WayChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a reload came to.
 *
 * @param took from its turn on; waiting for one before it is not counted
 * @param clusters all of them, those that were left alone too, sorted by name
 * @param warnings sentences for whoever asked
 */
public record ReloadReport(
    Verdict verdict, Duration took, List<ClusterReport> clusters, List<String> warnings) {

  public ReloadReport {
    clusters = List.copyOf(clusters);
    warnings = List.copyOf(warnings);
  }

  /** A reload as a whole. */
  public enum Verdict {
    /** Everything runs as asked already. */
    UNCHANGED,
    /** Everything came to what was asked for. */
    APPLIED,
    /** Some clusters did, and some did not. */
    PARTLY,
    /** None of the clusters that should have changed has. */
    FAILED,
    /** It never ran: a newer one was asked for while it waited. */
    SUPERSEDED,
    /** The proxy shut down before it was done. */
    CUT_SHORT,
    /** It was only asked what would be done. */
    PLANNED
  }

  /**
   * What was done to one virtual cluster.
   *
   * @param change what was to be done, and why
   * @param outcome empty where nothing was done
   * @param took from the first action on it to its outcome
   * @param departure what it came to for the connections of the former generation
   * @param ways of one that was only planned: by which it may be switched, the likelier one first
   */
  public record ClusterReport(
      ClusterChange change,
      Optional<ClusterOutcome> outcome,
      Duration took,
      Optional<DrainReport> departure,
      List<Way> ways) {

    public ClusterReport {
      ways = List.copyOf(ways);
    }

    private static ClusterReport planned(ClusterChange change, Strategy strategy) {
      List<Way> ways =
          change instanceof Changed changed && changed.beside()
              ? WayChoice.possible(changed.aspects(), strategy)
              : List.of();
      return new ClusterReport(change, Optional.empty(), Duration.ZERO, Optional.empty(), ways);
    }
  }

  /** Nothing was done. */
  static ReloadReport planned(ReloadPlan plan, Strategy strategy) {
    var clusters =
        plan.changes().stream().map(change -> ClusterReport.planned(change, strategy)).toList();
    var warnings = new ArrayList<>(plan.warnings());
    plan.obstacle().ifPresent(warnings::add);
    return new ReloadReport(Verdict.PLANNED, Duration.ZERO, clusters, warnings);
  }

  static ReloadReport never(Verdict verdict) {
    return new ReloadReport(verdict, Duration.ZERO, List.of(), List.of());
  }
}
