package dev.sluice.simulation.roll;

import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.planner.RestartReason;
import dev.sluice.simulation.roll.SimServer.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Knows the truth, and holds every action against it. What went wrong in the last moments before an
 * action could not be seen by any look, and is nobody's fault.
 */
final class Witness {

  /** The longest time from the beginning of a look to the action that follows from it. */
  static final Duration RACE = Duration.ofSeconds(4);

  private final SimCluster cluster;
  private final Set<Integer> away = new TreeSet<>();
  private final Set<Integer> taken = new TreeSet<>();
  private Instant lastTaken = Instant.MIN;
  private final Map<Integer, List<RestartReason>> restarted = new HashMap<>();
  private final Set<Integer> cameBack = new TreeSet<>();

  Witness(SimCluster cluster) {
    this.cluster = cluster;
  }

  /** A person starts another roll: what they saw before is theirs to judge. */
  void newRoll() {
    away.clear();
    taken.clear();
    restarted.clear();
    cameBack.clear();
  }

  /** Before an action takes place. */
  void acts(Plan.Act act) {
    List<SimServer> stopped = new ArrayList<>();
    for (Map.Entry<Integer, Need> target : act.targets().entrySet()) {
      SimServer server = cluster.servers.get(target.getKey());
      if (target.getValue() instanceof Need.Restart(List<RestartReason> reasons)) {
        checkServer(server, reasons);
        if (server.state != State.DOWN && past(server.since)) {
          stopped.add(server); // what it has become in the last moments, no look could show
        }
        if (server.serves()) {
          taken.add(server.id);
          lastTaken = cluster.time.now();
        }
        restarted.put(server.id, reasons);
        cameBack.remove(server.id);
      }
    }
    checkOthersAreBack(act);
    checkQuorum(stopped);
    checkPartitions(stopped, !act.exempted().isEmpty());
    act.targets()
        .forEach(
            (id, need) -> {
              if (need instanceof Need.Restart) {
                away.add(id);
              }
            });
  }

  /** After every event. */
  void look() {
    for (SimServer server : cluster.servers) {
      if (server.serves() && away.remove(server.id)) {
        taken.remove(server.id);
        cameBack.add(server.id);
      }
    }
    checkWhatWeTook();
  }

  private void checkServer(SimServer server, List<RestartReason> reasons) {
    Instant now = cluster.time.now();
    boolean recovers = server.state == State.RECOVERING && past(server.since);
    Invariant.RECOVERIES_ARE_LEFT_IN_PEACE.require(!recovers, () -> "a restart of " + server);
    boolean agentSilent = server.agentSilent(now) && past(server.agentSilentSince);
    boolean unknown =
        (server.platformSilent(now) && past(server.platformSilentSince))
            || (server.state == State.STARTING && past(server.since) && agentSilent);
    Invariant.THE_UNKNOWN_IS_LEFT_ALONE.require(!unknown, () -> "a restart of " + server);
    for (RestartReason reason : reasons) {
      Invariant.EVERY_REASON_IS_TRUE.require(
          isTrue(reason, server), () -> server + ": " + reason.sentence());
      boolean again =
          cameBack.contains(server.id)
              && restarted.getOrDefault(server.id, List.of()).stream().anyMatch(reason::repeats);
      Invariant.NO_LOOPS.require(
          !again, () -> server + " was restarted for it before: " + reason.sentence());
    }
  }

  private boolean isTrue(RestartReason reason, SimServer server) {
    return switch (reason) {
      case RestartReason.RevisionDiffers(String running, _) ->
          (running.equals(server.running) && !running.equals(cluster.desired))
              || !past(server.process)
              || !past(cluster.desiredSince);
      case RestartReason.DoesNotServe _ -> server.state != State.UP || !past(server.since);
      case RestartReason.ChangeHadNoEffect _ -> server.pendingChange;
      case RestartReason.KeysDiffer _, RestartReason.Asked _ -> false; // nobody says so here
    };
  }

  private void checkOthersAreBack(Plan.Act act) {
    Set<Integer> others = new TreeSet<>(away);
    others.removeAll(act.targets().keySet());
    boolean controller =
        others.stream().anyMatch(id -> cluster.servers.get(id).controller)
            && act.targets().keySet().stream().anyMatch(id -> cluster.servers.get(id).controller);
    Invariant.ONE_CONTROLLER_AT_A_TIME.require(
        !controller, () -> act.sentence() + ", while we wait for " + others);
    Invariant.THE_FIRST_THAT_STAYS_AWAY_IS_THE_LAST.require(
        others.isEmpty(), () -> act.sentence() + ", while we wait for " + others);
  }

  private void checkQuorum(List<SimServer> stopped) {
    List<SimServer> leaving =
        stopped.stream().filter(server -> server.votes() && server.caughtUp).toList();
    Invariant.ONE_CONTROLLER_AT_A_TIME.require(
        stopped.stream().filter(SimServer::votes).count() <= 1, () -> "restarts of " + stopped);
    boolean raced =
        cluster.servers.stream()
            .anyMatch(
                server ->
                    server.controller && !past(server.troubled.plus(SimCluster.FETCH_TIMEOUT)));
    if (leaving.isEmpty() || raced) {
      return;
    }
    long left =
        cluster.servers.stream()
            .filter(server -> server.votes() && server.caughtUp && !leaving.contains(server))
            .count();
    int voters = cluster.voters();
    long needed = voters <= 2 ? voters - 1 : voters / 2 + 1;
    Invariant.THE_QUORUM_KEEPS_ITS_MAJORITY.require(
        left >= needed, () -> "a restart of %s of %s".formatted(leaving, cluster.servers));
  }

  private void checkPartitions(List<SimServer> stopped, boolean exempted) {
    int batch = stopped.stream().filter(server -> server.broker).mapToInt(s -> 1 << s.id).sum();
    int serving = cluster.serving();
    for (SimPartition partition : cluster.partitions) {
      if (!partition.constrains() || raced(partition)) {
        continue;
      }
      int hit = Integer.bitCount(partition.inSync & serving & batch);
      int present = partition.present(serving);
      int floor = partition.minimum + partition.margin(cluster.swarm.policy().margin());
      Invariant.PARTITIONS_KEEP_THEIR_MINIMUM.require(
          hit == 0 || present - hit >= floor,
          () -> "a restart of %s takes %s below".formatted(stopped, partition));
      Invariant.ELIGIBLE_LEADERS_STAY.require(
          exempted || (partition.eligible & batch) == 0 || present >= partition.minimum,
          () -> "a restart of %s, of which %s may need one".formatted(stopped, partition));
    }
  }

  private boolean raced(SimPartition partition) {
    if (!past(partition.changed)) {
      return true;
    }
    return cluster.servers.stream()
        .anyMatch(server -> partition.has(server.id) && !past(server.troubled));
  }

  /** What is missing of a partition or of the quorum must never all be missing because of us. */
  private void checkWhatWeTook() {
    int ours = taken.stream().mapToInt(id -> 1 << id).sum();
    if (ours == 0) {
      return;
    }
    int serving = cluster.serving();
    for (SimPartition partition : cluster.partitions) {
      int missing = partition.replicas & ~(partition.inSync & serving);
      boolean allOurs = missing != 0 && (missing & ~ours) == 0;
      Invariant.PARTITIONS_KEEP_THEIR_MINIMUM.require(
          !partition.constrains()
              || !allOurs
              || partition.present(serving) >= partition.minimum
              || partition.changed.isAfter(lastTaken.minus(RACE))
              || raced(partition),
          () -> "we alone took " + partition + " below");
    }
  }

  private boolean past(Instant when) {
    return when.plus(RACE).isBefore(cluster.time.now());
  }
}
