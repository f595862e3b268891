package dev.sluice.bench.micro;

import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import dev.sluice.planner.reading.Reassignments;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A cluster that has all its work before it: every broker is steady and outdated. Three racks, and
 * of each partition one replica in each of them, on a server by chance; two must be in sync.
 *
 * @param servers brokers, at least 3; broker s is in rack s % 3
 * @param partitions in topics of 100
 * @param seed of where the replicas are
 */
record LargeCluster(int servers, int partitions, long seed) {

  private static final int RACKS = 3;
  private static final int MINIMUM_IN_SYNC = 2;
  private static final int PARTITIONS_PER_TOPIC = 100;
  private static final int CONTROLLER = 100_000;
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  View view() {
    SortedMap<Integer, ServerReading> readings = new TreeMap<>();
    for (int id = 0; id < servers; id++) {
      readings.put(id, outdated(id));
    }
    Replica voter = new Replica(CONTROLLER, QuorumReading.ANY_DIRECTORY, NOW.toEpochMilli());
    QuorumReading quorum =
        new QuorumReading(
            OptionalInt.of(CONTROLLER), List.of(voter), List.of(), Duration.ofSeconds(2));
    return new View(
        NOW,
        readings,
        Fact.known(quorum, NOW),
        Fact.known(placed(), NOW),
        Fact.known(Reassignments.NONE, NOW),
        Optional.empty());
  }

  private static ServerReading outdated(int id) {
    PlatformReading running =
        new PlatformReading(
            Phase.RUNNING,
            NOW.minus(Duration.ofDays(1)),
            true,
            "",
            "as it runs",
            "as it should be",
            List.of());
    return new ServerReading(
        id,
        Set.of(Role.BROKER),
        Fact.known(running, NOW),
        Fact.known(RecoveryReading.NOT_RECOVERING, NOW),
        Fact.known(true, NOW),
        Fact.known(false, NOW),
        Fact.known(Differences.NONE, NOW));
  }

  private Partitions placed() {
    SplittableRandom chance = new SplittableRandom(seed);
    Partitions.Builder builder = Partitions.builder();
    int[] replicas = new int[RACKS];
    for (int i = 0; i < partitions; i++) {
      if (i % PARTITIONS_PER_TOPIC == 0) {
        builder.topic("topic-" + i / PARTITIONS_PER_TOPIC, MINIMUM_IN_SYNC);
      }
      int leading = chance.nextInt(RACKS);
      for (int r = 0; r < RACKS; r++) {
        int rack = (leading + r) % RACKS;
        int serversOfRack = (servers - rack + RACKS - 1) / RACKS;
        replicas[r] = rack + RACKS * chance.nextInt(serversOfRack);
      }
      builder.partition(i % PARTITIONS_PER_TOPIC, replicas, replicas);
    }
    return builder.build();
  }
}
