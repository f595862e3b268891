package dev.sluice.roller;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Policy;
import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.PlatformReading.Asked;
import dev.sluice.planner.reading.PlatformReading.Kind;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import dev.sluice.planner.reading.Reassignments;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Three combined servers that take a while to come back. Time passes with every look. */
final class ModelCluster implements Observer, Actuator {

  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration AWAY = Duration.ofSeconds(12);
  private static final int SERVERS = 3;

  final List<String> done = new ArrayList<>();
  final SortedMap<Integer, Instant> processes = new TreeMap<>();
  final RollRequest request;
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  Optional<Integer> failing = Optional.empty();

  /** How far the servers' clocks are behind ours. */
  Duration behind = Duration.ZERO;

  Runnable beforeActing = () -> {};
  Runnable afterLook = () -> {};

  ModelCluster() {
    for (int id = 1; id <= SERVERS; id++) {
      processes.put(id, now.minus(Duration.ofHours(1)));
    }
    request = new RollRequest(now, Optional.of("a test"), java.util.Set.of());
  }

  @Override
  public Look look(Memory memory, Policy policy) {
    now = now.plus(LOOK);
    SortedMap<Integer, ServerReading> servers = new TreeMap<>();
    processes.keySet().forEach(id -> servers.put(id, reading(id)));
    Look look =
        new Look(
            new View(
                now,
                servers,
                Fact.known(quorum(), now),
                Fact.known(partitions(), now),
                Fact.known(Reassignments.NONE, now),
                Optional.empty()),
            List.of(new Look.Astray("t", 0, 1)),
            List.of());
    afterLook.run();
    return look;
  }

  private Instant process(int id) {
    return processes.getOrDefault(id, Instant.EPOCH);
  }

  private boolean up(int id) {
    return now.isAfter(process(id).plus(AWAY)) && !failing.equals(Optional.of(id));
  }

  private ServerReading reading(int id) {
    boolean up = up(id);
    return new ServerReading(
        id,
        EnumSet.allOf(Role.class),
        Fact.known(
            new PlatformReading(
                Phase.RUNNING,
                process(id).minus(behind),
                up,
                "",
                "",
                "",
                List.of(new Asked(Kind.BY_HAND, "a test", request.requestedAt()))),
            now),
        Fact.known(RecoveryReading.NOT_RECOVERING, now),
        Fact.known(up, now),
        Fact.known(!up, now),
        Fact.known(Differences.NONE, now));
  }

  private QuorumReading quorum() {
    return new QuorumReading(
        OptionalInt.of(1),
        processes.keySet().stream()
            .map(
                id -> new Replica(id, QuorumReading.ANY_DIRECTORY, up(id) ? now.toEpochMilli() : 0))
            .toList(),
        List.of(),
        Duration.ofSeconds(2));
  }

  private Partitions partitions() {
    int[] inSync = processes.keySet().stream().filter(this::up).mapToInt(id -> id).toArray();
    return Partitions.builder().topic("t", 2).partition(0, new int[] {1, 2, 3}, inSync).build();
  }

  @Override
  public List<Performed> perform(Plan.Act act) {
    beforeActing.run();
    List<Performed> performed = new ArrayList<>();
    act.targets()
        .keySet()
        .forEach(
            id -> {
              done.add("restart " + id);
              processes.put(id, now);
              performed.add(new Performed(id, Optional.empty()));
            });
    return performed;
  }

  @Override
  public void electPreferred(List<Look.Astray> astray) {
    astray.forEach(each -> done.add("elect " + each.preferred()));
  }

  @Override
  public List<String> lastWords(int server) {
    return List.of("the last words of " + server);
  }
}
