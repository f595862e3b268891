package dev.sluice.planner;

import dev.sluice.planner.Condition.Steady;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.reading.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is thought of one server.
 *
 * @param operations changes that can be made while it runs, whatever else it needs; empty when its
 *     configuration is not known
 * @param process when its process started or its phase began, which tells one process from the next
 * @param lacking partitions of which it holds a replica that is not in sync
 * @param fenced whether the controllers are known to fence it: it serves no partition
 * @param awaited whether we acted on it and wait for it
 */
public record Assessment(
    int server,
    Set<Role> roles,
    Condition condition,
    Need need,
    Optional<List<Operation>> operations,
    Optional<Instant> process,
    int lacking,
    boolean fenced,
    Awaited awaited) {

  /** Whether we wait for a server on which we acted. */
  public enum Awaited {
    /** We did not act on it, or it came back long ago. */
    NO,
    /** We acted on it, and it is on its way. */
    YES,
    /** We acted on it, and its time is up. */
    OVERDUE,
    /** We meant to act on it, and nothing happened: the roller ended in between. */
    NOT_BEGUN,
    /** We acted on it, and it is back. */
    RETURNED
  }

  public boolean broker() {
    return roles.contains(Role.BROKER);
  }

  public boolean controller() {
    return roles.contains(Role.CONTROLLER);
  }

  public boolean steady() {
    return condition instanceof Steady;
  }

  /** Whether it is known, not just feared, that it does not serve. */
  boolean positivelyAway() {
    return condition instanceof Condition.NotRunning || condition instanceof Condition.NotReady;
  }

  /** One line of the table that is printed at every action. */
  public String sentence() {
    return "server %d is %s; %s".formatted(server, condition.sentence(), need.sentence());
  }
}
