package dev.sluice.simulation.roll;

import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import dev.sluice.planner.reading.Reassignments;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import dev.sluice.simulation.roll.SimServer.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One look at the cluster: platforms and probes when it begins, Kafka when it ends. What is silent
 * is missing.
 */
final class Looks {

  private static final Differences CHANGE =
      new Differences(
          List.of(new Operation.Set("log.cleaner.threads", Scope.PER_BROKER, "2", false)),
          List.of(),
          List.of());

  private record Early(Fact<PlatformReading> platform, Fact<RecoveryReading> recovery) {}

  private final SimCluster cluster;
  private final SortedMap<Integer, Early> early = new TreeMap<>();

  private Looks(SimCluster cluster) {
    this.cluster = cluster;
  }

  static Looks begin(SimCluster cluster) {
    Looks looks = new Looks(cluster);
    Instant now = cluster.time.now();
    for (SimServer server : cluster.servers) {
      looks.early.put(server.id, new Early(platform(cluster, server, now), recovery(server, now)));
    }
    return looks;
  }

  View end() {
    Instant now = cluster.time.now();
    boolean silent =
        cluster.serving() == 0 || (cluster.swarm.silentCluster() && cluster.chance.onceIn(12));
    SortedMap<Integer, ServerReading> servers = new TreeMap<>();
    early.forEach((id, seen) -> servers.put(id, server(cluster.servers.get(id), seen, now)));
    return new View(
        now,
        servers,
        quorum(now),
        silent ? Fact.missing("the listing of topics timed out") : Fact.known(partitions(), now),
        silent
            ? Fact.missing("the listing of reassignments timed out")
            : Fact.known(reassignments(), now),
        Optional.empty());
  }

  private static Fact<PlatformReading> platform(SimCluster cluster, SimServer server, Instant now) {
    if (server.platformSilent(now)) {
      return Fact.missing("the platform timed out");
    }
    boolean down = server.state == State.DOWN;
    Phase phase = !down ? Phase.RUNNING : server.cannotStart ? Phase.CANNOT_START : Phase.ABSENT;
    return Fact.known(
        new PlatformReading(
            phase,
            server.process,
            server.state == State.UP,
            server.cannotStart ? "it crashes at every start" : "",
            server.running,
            cluster.desired,
            List.of()),
        now);
  }

  private static Fact<RecoveryReading> recovery(SimServer server, Instant now) {
    if (server.agentSilent(now) || server.state == State.DOWN) {
      return Fact.missing("the agent is silent");
    }
    return Fact.known(
        server.state == State.RECOVERING
            ? new RecoveryReading(true, 1, server.segmentsLeft(now))
            : RecoveryReading.NOT_RECOVERING,
        now);
  }

  private static ServerReading server(SimServer server, Early seen, Instant now) {
    boolean answers = server.state == State.UP;
    return new ServerReading(
        server.id,
        server.roles(),
        seen.platform(),
        seen.recovery(),
        answers ? Fact.known(true, now) : Fact.missing("it does not answer"),
        Fact.known(server.broker && !server.serves(), now),
        answers
            ? Fact.known(server.pendingChange ? CHANGE : Differences.NONE, now)
            : Fact.missing("it does not answer"));
  }

  private Fact<QuorumReading> quorum(Instant now) {
    List<Replica> voters = new ArrayList<>();
    boolean anybody = false;
    for (SimServer server : cluster.servers) {
      if (server.controller) {
        anybody |= server.votes();
        voters.add(
            new Replica(
                server.id, QuorumReading.ANY_DIRECTORY, cluster.caughtUpAt(server).toEpochMilli()));
      }
    }
    boolean silent = cluster.swarm.silentCluster() && cluster.chance.onceIn(12);
    return silent || !anybody
        ? Fact.missing("no controller answered")
        : Fact.known(
            new QuorumReading(
                cluster.leader < 0 ? OptionalInt.empty() : OptionalInt.of(cluster.leader),
                voters,
                List.of(),
                SimCluster.FETCH_TIMEOUT),
            now);
  }

  private Partitions partitions() {
    Partitions.Builder builder = Partitions.builder();
    for (SimPartition partition : cluster.partitions) {
      builder
          .topic(partition.topic, partition.minimum)
          .partition(0, ids(partition.replicas), ids(partition.inSync), ids(partition.eligible));
    }
    return builder.build();
  }

  private Reassignments reassignments() {
    SortedMap<Integer, String> byServer = new TreeMap<>();
    for (SimPartition partition : cluster.partitions) {
      if (partition.reassigning) {
        for (int id : ids(partition.replicas)) {
          byServer.put(id, partition.topic + "-0");
        }
      }
    }
    return new Reassignments(byServer);
  }

  private static int[] ids(int bits) {
    int[] ids = new int[Integer.bitCount(bits)];
    int next = 0;
    for (int id = 0; bits >>> id != 0; id++) {
      if ((bits & (1 << id)) != 0) {
        ids[next++] = id;
      }
    }
    return ids;
  }
}
