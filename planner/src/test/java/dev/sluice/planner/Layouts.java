package dev.sluice.planner;

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
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Large clusters of brokers that are all outdated, all steady, with all replicas in sync. */
final class Layouts {

  static final int PARTITIONS_PER_TOPIC = 100;
  static final String UNAWARE_TOPIC = "placed-by-hand";

  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private final SplittableRandom chance;
  private final int servers;

  Layouts(int servers, long seed) {
    this.servers = servers;
    this.chance = new SplittableRandom(seed);
  }

  /** Each replica in another rack, racks and servers by chance; server s is in rack s % racks. */
  Partitions rackAware(int partitions, int racks, int replication, int minimum, int unaware) {
    Partitions.Builder builder = Partitions.builder();
    for (int i = 0; i < partitions; i++) {
      begin(builder, i, "topic-", minimum);
      int[] chosen = distinct(racks, replication);
      for (int r = 0; r < replication; r++) {
        chosen[r] += racks * chance.nextInt((servers - chosen[r] + racks - 1) / racks);
      }
      builder.partition(i % PARTITIONS_PER_TOPIC, chosen, chosen);
    }
    builder.topic(UNAWARE_TOPIC, minimum);
    for (int i = 0; i < unaware; i++) {
      int[] chosen = distinct(servers, replication);
      builder.partition(i, chosen, chosen);
    }
    return builder.build();
  }

  Partitions random(int partitions, int replication, int minimum) {
    Partitions.Builder builder = Partitions.builder();
    for (int i = 0; i < partitions; i++) {
      begin(builder, i, "topic-", minimum);
      int[] chosen = distinct(servers, replication);
      builder.partition(i % PARTITIONS_PER_TOPIC, chosen, chosen);
    }
    return builder.build();
  }

  View view(Partitions partitions) {
    TreeMap<Integer, ServerReading> readings = new TreeMap<>();
    PlatformReading platform =
        new PlatformReading(
            Phase.RUNNING, NOW.minus(Duration.ofDays(1)), true, "", "1", "2", List.of());
    for (int id = 0; id < servers; id++) {
      readings.put(
          id,
          new ServerReading(
              id,
              Set.of(Role.BROKER),
              Fact.known(platform, NOW),
              Fact.known(RecoveryReading.NOT_RECOVERING, NOW),
              Fact.known(true, NOW),
              Fact.known(false, NOW),
              Fact.known(Differences.NONE, NOW)));
    }
    Replica voter = new Replica(100_000, QuorumReading.ANY_DIRECTORY, NOW.toEpochMilli());
    return new View(
        NOW,
        readings,
        Fact.known(
            new QuorumReading(
                OptionalInt.of(voter.id()), List.of(voter), List.of(), Duration.ofSeconds(2)),
            NOW),
        Fact.known(partitions, NOW),
        Fact.known(Reassignments.NONE, NOW),
        Optional.empty());
  }

  private static void begin(Partitions.Builder builder, int partition, String prefix, int minimum) {
    if (partition % PARTITIONS_PER_TOPIC == 0) {
      builder.topic(prefix + partition / PARTITIONS_PER_TOPIC, minimum);
    }
  }

  private int[] distinct(int bound, int count) {
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      int candidate = chance.nextInt(bound);
      boolean fresh = true;
      for (int j = 0; j < i; j++) {
        fresh &= chosen[j] != candidate;
      }
      if (fresh) {
        chosen[i] = candidate;
      } else {
        i--;
      }
    }
    return chosen;
  }
}
