package dev.sluice.planner;

import dev.sluice.planner.reading.PlatformReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is remembered of one server.
 *
 * @param outstanding the restart that it has not come back from
 * @param restarts how often it was restarted, by kind of reason
 * @param cured the reasons of its last restart, once it is back from it
 * @param reconfigurations changes in a row that did not show
 * @param reconfiguredAt when it was changed last
 * @param progress the best that was seen of it since we acted, or since it was last steady
 * @param settledSince since when all is well, as long as that is being watched
 * @param returns how many restarts it came back from
 * @param returning how long these took, together
 */
public record ServerMemory(
    Optional<Outstanding> outstanding,
    SortedMap<String, Integer> restarts,
    List<RestartReason> cured,
    int reconfigurations,
    Optional<Instant> reconfiguredAt,
    Optional<Progress> progress,
    Optional<Instant> settledSince,
    int returns,
    Duration returning) {

  static final ServerMemory EMPTY =
      new ServerMemory(
          Optional.empty(),
          new TreeMap<>(),
          List.of(),
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          Duration.ZERO);

  public ServerMemory {
    restarts = Collections.unmodifiableSortedMap(new TreeMap<>(restarts));
    cured = List.copyOf(cured);
  }

  /**
   * A restart that the server has not come back from.
   *
   * @param process the process, or the phase without one, that we acted on
   * @param lacking in-sync sets that it was missing from before
   */
  public record Outstanding(
      Instant at, Optional<Instant> process, List<RestartReason> reasons, int lacking) {
    public Outstanding {
      reasons = List.copyOf(reasons);
    }
  }

  ServerMemory after(Assessment now, Instant at) {
    ServerMemory next =
        switch (now.awaited()) {
          case RETURNED -> returned(at);
          case NOT_BEGUN -> with(Optional.empty(), progress, settledSince);
          case NO, YES, OVERDUE -> this;
        };
    Optional<Progress> seen = Progress.after(next.progress, now.condition(), at);
    if (now.condition() instanceof Condition.Steady && next.outstanding.isEmpty()) {
      seen = Optional.empty();
    }
    Optional<Instant> settled =
        now.condition() instanceof Condition.CatchingUp catchingUp
            ? catchingUp.settledSince()
            : Optional.empty();
    next = next.with(next.outstanding, seen, settled);
    boolean tookEffect = now.operations().map(List::isEmpty).orElse(false);
    return tookEffect && reconfigurations > 0 ? next.reconfigured(0, at) : next;
  }

  ServerMemory actedOn(Assessment server, Need need, Instant at) {
    return switch (need) {
      case Need.Restart(List<RestartReason> reasons) -> restarted(server, reasons, at);
      case Need.Reconfigure _ -> reconfigured(reconfigurations + 1, at);
      case Need.Nothing _, Need.Undetermined _ -> this;
    };
  }

  /** Whether something went forward, so that being blocked is not the same as being stuck. */
  boolean movedFrom(ServerMemory before) {
    return !progress.map(Progress::at).equals(before.progress.map(Progress::at))
        && progress.isPresent();
  }

  /**
   * Whether we restarted it for this, and another process runs since: then it is done, whatever its
   * clock says about when it began.
   */
  boolean restartedFor(RestartReason.Asked reason, PlatformReading platform) {
    return outstanding
        .map(
            out ->
                out.reasons().contains(reason)
                    && !out.process().equals(Optional.of(platform.since())))
        .orElseGet(() -> cured.contains(reason));
  }

  Optional<Duration> averageReturn() {
    return returns == 0 ? Optional.empty() : Optional.of(returning.dividedBy(returns));
  }

  private ServerMemory restarted(Assessment server, List<RestartReason> reasons, Instant at) {
    SortedMap<String, Integer> counted = new TreeMap<>(restarts);
    reasons.stream()
        .map(RestartReason::kind)
        .distinct()
        .forEach(kind -> counted.merge(kind, 1, Integer::sum));
    return new ServerMemory(
        Optional.of(new Outstanding(at, server.process(), reasons, server.lacking())),
        counted,
        List.of(),
        reconfigurations,
        reconfiguredAt,
        Optional.of(Progress.none(at)),
        Optional.empty(),
        returns,
        returning);
  }

  private ServerMemory returned(Instant at) {
    Outstanding over = outstanding.orElseThrow();
    return new ServerMemory(
        Optional.empty(),
        restarts,
        over.reasons(),
        reconfigurations,
        reconfiguredAt,
        Optional.empty(),
        Optional.empty(),
        returns + 1,
        returning.plus(Duration.between(over.at(), at)));
  }

  private ServerMemory reconfigured(int attempts, Instant at) {
    return new ServerMemory(
        outstanding,
        restarts,
        cured,
        attempts,
        attempts == 0 ? Optional.empty() : Optional.of(at),
        progress,
        settledSince,
        returns,
        returning);
  }

  private ServerMemory with(
      Optional<Outstanding> waitedFor, Optional<Progress> seen, Optional<Instant> settled) {
    return new ServerMemory(
        waitedFor,
        restarts,
        cured,
        reconfigurations,
        reconfiguredAt,
        seen,
        settled,
        returns,
        returning);
  }
}
