package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.SetUp;
import dev.sluice.lifecycle.ClusterState.Stopped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Whether the proxy should be sent clients.
 *
 * @param reasons why not; also of a ready proxy, what is not well in it
 */
public record Readiness(boolean ready, List<String> reasons) {

  public Readiness {
    reasons = List.copyOf(reasons);
  }

  /** How many clusters have to be ready. */
  public enum Policy {
    /** All of them, and at least one. */
    ALL,
    /** At least one. */
    ANY
  }

  /**
   * Judges these lives at this time. Clusters that are removed, or that a person drained, are not
   * asked for; one that drains or is set up for a reload, within its budget, counts as ready. A
   * shutdown under way makes the proxy not ready under both policies.
   */
  public static Readiness of(Policy policy, Collection<Life> lives, Instant now) {
    var asked = lives.stream().filter(life -> isAskedFor(life.state())).toList();
    var reasons = new ArrayList<String>();
    boolean shutsDown = false;
    for (var life : asked) {
      whyNot(life, now).ifPresent(reasons::add);
      shutsDown |= isShuttingDown(life.state());
    }
    if (asked.isEmpty()) {
      return new Readiness(false, List.of("No virtual cluster is there to serve."));
    }
    boolean enough =
        switch (policy) {
          case ALL -> reasons.isEmpty();
          case ANY -> reasons.size() < asked.size();
        };
    return new Readiness(enough && !shutsDown, reasons);
  }

  private static boolean isAskedFor(ClusterState state) {
    return switch (state) {
      case Stopped stopped -> stopped.ending() == Ending.SHUT_DOWN;
      case Draining draining ->
          draining.purpose() instanceof Purpose.Reload
              || draining.purpose() instanceof Purpose.Shutdown;
      case Initializing _, Serving _, Failed _ -> true;
    };
  }

  private static boolean isShuttingDown(ClusterState state) {
    return switch (state) {
      case Draining draining -> draining.purpose() instanceof Purpose.Shutdown;
      case Stopped stopped -> stopped.ending() == Ending.SHUT_DOWN;
      case Initializing _, Serving _, Failed _ -> false;
    };
  }

  private static Optional<String> whyNot(Life life, Instant now) {
    boolean ready =
        switch (life.state()) {
          case Serving _ -> true;
          case Draining draining ->
              draining.purpose() instanceof Purpose.Reload && !now.isAfter(draining.deadline());
          case Initializing initializing -> isWithinReload(initializing.setUp(), now);
          case Failed _, Stopped _ -> false;
        };
    return ready
        ? Optional.empty()
        : Optional.of(
            life.name() + " is " + life.state().kind().label() + ": " + life.reason().sentence());
  }

  private static boolean isWithinReload(SetUp setUp, Instant now) {
    return switch (setUp) {
      case SetUp.Fresh _ -> false;
      case SetUp.AfterDrain after -> !now.isAfter(after.until());
      case SetUp.RollBack back -> !now.isAfter(back.until());
    };
  }
}
