package dev.sluice.planner;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a person wants the roll to go.
 *
 * @param maxParallel the most brokers restarted together, at least 1; controllers always go alone
 * @param margin in-sync replicas wanted on top of each minimum, where the replication factor allows
 * @param maxRestarts the most restarts of one server for one kind of reason
 * @param maxReconfigurations the most attempts to change one server while it runs
 * @param curesDownServers whether to go on although a server is down that a restart of it would not
 *     change, because finishing the roll is what cures it
 * @param frozen servers that are never acted upon
 * @param exemptions rules that a person skips, one by one
 * @param windows when actions may start; empty: always
 * @param durations what to estimate with
 */
public record Policy(
    Patience patience,
    int maxParallel,
    int margin,
    int maxRestarts,
    int maxReconfigurations,
    boolean curesDownServers,
    Set<Integer> frozen,
    Set<Exemption> exemptions,
    List<MaintenanceWindow> windows,
    Durations durations) {

  public static final Policy DEFAULT =
      new Policy(
          Patience.DEFAULT, 1, 0, 3, 3, false, Set.of(), Set.of(), List.of(), Durations.DEFAULT);

  public Policy {
    if (maxParallel < 1 || margin < 0 || maxRestarts < 1 || maxReconfigurations < 1) {
      throw new IllegalArgumentException(
          "expected maxParallel, maxRestarts and maxReconfigurations of at least 1 and a margin of at"
              + " least 0, found %d, %d, %d and %d"
                  .formatted(maxParallel, maxRestarts, maxReconfigurations, margin));
    }
    frozen = Collections.unmodifiableSet(new TreeSet<>(frozen));
    exemptions = Set.copyOf(exemptions);
    windows = List.copyOf(windows);
  }

  public Policy withMaxParallel(int servers) {
    return new Policy(
        patience,
        servers,
        margin,
        maxRestarts,
        maxReconfigurations,
        curesDownServers,
        frozen,
        exemptions,
        windows,
        durations);
  }

  public Policy withMargin(int replicas) {
    return new Policy(
        patience,
        maxParallel,
        replicas,
        maxRestarts,
        maxReconfigurations,
        curesDownServers,
        frozen,
        exemptions,
        windows,
        durations);
  }

  public Policy withPatience(Patience other) {
    return new Policy(
        other,
        maxParallel,
        margin,
        maxRestarts,
        maxReconfigurations,
        curesDownServers,
        frozen,
        exemptions,
        windows,
        durations);
  }

  public Policy withFrozen(Set<Integer> servers) {
    return new Policy(
        patience,
        maxParallel,
        margin,
        maxRestarts,
        maxReconfigurations,
        curesDownServers,
        servers,
        exemptions,
        windows,
        durations);
  }

  public Policy withExemptions(Set<Exemption> others) {
    return new Policy(
        patience,
        maxParallel,
        margin,
        maxRestarts,
        maxReconfigurations,
        curesDownServers,
        frozen,
        others,
        windows,
        durations);
  }

  public Policy withWindows(List<MaintenanceWindow> others) {
    return new Policy(
        patience,
        maxParallel,
        margin,
        maxRestarts,
        maxReconfigurations,
        curesDownServers,
        frozen,
        exemptions,
        others,
        durations);
  }

  /** Goes on although a server is down that the roll is not about. */
  public Policy curingDownServers() {
    return new Policy(
        patience,
        maxParallel,
        margin,
        maxRestarts,
        maxReconfigurations,
        true,
        frozen,
        exemptions,
        windows,
        durations);
  }

  boolean exempts(int server, Rule rule) {
    return exemptions.contains(new Exemption(server, rule));
  }
}
