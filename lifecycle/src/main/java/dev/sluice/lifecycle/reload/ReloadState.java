package dev.sluice.lifecycle.reload;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far a reload is.
 *
 * @param commitment whether clusters may be switched
 * @param courses of the affected clusters, by name; nothing is asked of one that is not among them
 * @param yielding when automatic retries were due that wait until nothing is done to their cluster
 */
public record ReloadState(
    ReloadPolicy policy,
    Commitment commitment,
    SortedMap<String, Course> courses,
    SortedMap<String, Instant> yielding) {

  public ReloadState {
    courses = Collections.unmodifiableSortedMap(new TreeMap<>(courses));
    yielding = Collections.unmodifiableSortedMap(new TreeMap<>(yielding));
  }

  /** Whether clusters may be switched. */
  public enum Commitment {
    /** Not before all of an atomic reload are prepared. */
    AWAITED,
    /** Each as soon as it is prepared. */
    GIVEN,
    /** No: one of an atomic reload could not be prepared. */
    WITHHELD
  }

  /** What a reload as a whole is doing: derived. */
  public enum Phase {
    /** Generations are being prepared, and nothing else happens yet. */
    PREPARING,
    /** Committed: what is prepared takes over, or an atomic one is being undone. */
    SWITCHING,
    /** Every affected cluster has its outcome. */
    DONE
  }

  /** What it is doing as a whole. */
  public Phase phase() {
    if (courses.values().stream().allMatch(Course.Ended.class::isInstance)) {
      return Phase.DONE;
    }
    boolean moving =
        courses.values().stream()
            .anyMatch(one -> one instanceof Course.Switching || one instanceof Course.Withdrawing);
    return moving ? Phase.SWITCHING : Phase.PREPARING;
  }

  /** Whether every affected cluster has its outcome. */
  public boolean isDone() {
    return phase() == Phase.DONE;
  }

  /** Whether something is done to a cluster, or is about to. */
  public boolean concerns(String name) {
    var course = courses.get(name);
    return course != null && !(course instanceof Course.Ended);
  }

  /**
   * Whether something was asked of a cluster: what happens to it before, such as the end of an
   * attempt of the failure policy, is no answer.
   */
  public boolean expects(String name) {
    return switch (courses.get(name)) {
      case null -> false;
      case Course.Held _, Course.AwaitingPorts _, Course.Ended _ -> false;
      case Course.Preparing _, Course.Prepared _, Course.Switching _, Course.Withdrawing _ -> true;
    };
  }

  /** The outcome for one cluster, once it has ended. */
  public Optional<ClusterOutcome> outcome(String name) {
    return courses.get(name) instanceof Course.Ended(_, var outcome)
        ? Optional.of(outcome)
        : Optional.empty();
  }

  ReloadState with(Course course) {
    var next = new TreeMap<>(courses);
    next.put(course.change().name(), course);
    return new ReloadState(policy, commitment, next, yielding);
  }

  ReloadState with(Commitment next) {
    return new ReloadState(policy, next, courses, yielding);
  }

  ReloadState with(SortedMap<String, Instant> next) {
    return new ReloadState(policy, commitment, courses, next);
  }
}
