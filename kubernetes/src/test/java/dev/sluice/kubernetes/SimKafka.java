package dev.sluice.kubernetes;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Policy;
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
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.Observer;
import dev.sluice.roller.Platform;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Brokers that are well exactly when their pods are ready, with one partition on all of them. Time
 * is real until a pod is seen that cannot start, and then passes quickly: nobody has to wait out
 * the patience of a policy.
 */
final class SimKafka implements Observer, Actuator {

  private static final int CONTROLLER = 100;
  private static final Duration HASTE = Duration.ofMinutes(1);

  private final Platform platform;
  private final List<ServerSpec> servers;
  private final SortedMap<Integer, PlatformReading> readings = new TreeMap<>();
  private Duration ahead = Duration.ZERO;

  SimKafka(Platform platform, List<ServerSpec> servers) {
    this.platform = platform;
    this.servers = List.copyOf(servers);
  }

  /** What was seen last, by server. */
  SortedMap<Integer, PlatformReading> readings() {
    return readings;
  }

  @Override
  public Look look(Memory memory, Policy policy) throws InterruptedException {
    try {
      for (ServerSpec server : servers) {
        readings.put(server.id(), platform.look(server));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (readings.values().stream().anyMatch(each -> each.phase() == Phase.CANNOT_START)) {
      ahead = ahead.plus(HASTE);
    }
    Instant now = Instant.now().plus(ahead);
    SortedMap<Integer, ServerReading> seen = new TreeMap<>();
    readings.forEach((id, reading) -> seen.put(id, reading(id, reading, now)));
    return Look.of(
        new View(
            now,
            seen,
            Fact.known(quorum(now), now),
            Fact.known(partitions(), now),
            Fact.known(Reassignments.NONE, now),
            Optional.empty()));
  }

  private static ServerReading reading(int id, PlatformReading reading, Instant now) {
    return new ServerReading(
        id,
        Set.of(Role.BROKER),
        Fact.known(reading, now),
        Fact.known(RecoveryReading.NOT_RECOVERING, now),
        Fact.known(reading.ready(), now),
        Fact.known(!reading.ready(), now),
        Fact.known(Differences.NONE, now));
  }

  private static QuorumReading quorum(Instant now) {
    return new QuorumReading(
        OptionalInt.of(CONTROLLER),
        List.of(new Replica(CONTROLLER, QuorumReading.ANY_DIRECTORY, now.toEpochMilli())),
        List.of(),
        Duration.ofSeconds(2));
  }

  private Partitions partitions() {
    int[] all = readings.keySet().stream().mapToInt(id -> id).toArray();
    int[] inSync =
        readings.entrySet().stream()
            .filter(each -> each.getValue().ready())
            .mapToInt(Map.Entry::getKey)
            .toArray();
    return Partitions.builder().topic("t", all.length - 1).partition(0, all, inSync).build();
  }

  @Override
  public List<Performed> perform(Plan.Act act) throws InterruptedException {
    List<Performed> performed = new ArrayList<>();
    for (ServerSpec server : servers) {
      PlatformReading reading = readings.get(server.id());
      if (reading != null && act.targets().containsKey(server.id())) {
        performed.add(new Performed(server.id(), restarted(server, reading)));
      }
    }
    return performed;
  }

  private Optional<String> restarted(ServerSpec server, PlatformReading reading)
      throws InterruptedException {
    try {
      platform.restart(server, Optional.of(reading.since()));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void electPreferred(List<Look.Astray> astray) {}

  @Override
  public List<String> lastWords(int server) {
    return servers.stream()
        .filter(each -> each.id() == server)
        .findFirst()
        .map(each -> platform.lastWords(each, 10))
        .orElse(List.of());
  }
}
