package dev.sluice.simulation.roll;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.planner.ServerMemory;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Partition;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Planners that are wrong on purpose. Each is the real one that sees or remembers something else
 * than there is, which is what a forgotten rule amounts to.
 */
final class Mutants {

  /**
   * One of them.
   *
   * @param caughtBy invariants that may see it; any of them will do
   */
  record Mutant(String name, Set<Invariant> caughtBy, Supplier<Planning> planning) {
    @Override
    public String toString() {
      return name;
    }
  }

  private Mutants() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "forgets the minimum",
            Set.of(Invariant.PARTITIONS_KEEP_THEIR_MINIMUM),
            () -> seeing(view -> view.withPartitions(partitions(view, 0, false)))),
        new Mutant(
            "counts a replica outside the in-sync set as in",
            Set.of(Invariant.PARTITIONS_KEEP_THEIR_MINIMUM),
            () -> seeing(view -> view.withPartitions(partitions(view, -1, true)))),
        new Mutant(
            "forgets eligible leaders",
            Set.of(Invariant.ELIGIBLE_LEADERS_STAY),
            () -> seeing(view -> view.withPartitions(partitions(view, -2, false)))),
        new Mutant(
            "forgets the quorum",
            Set.of(Invariant.THE_QUORUM_KEEPS_ITS_MAJORITY),
            () -> seeing(Mutants::allCaughtUp)),
        new Mutant(
            "restarts who recovers",
            Set.of(Invariant.RECOVERIES_ARE_LEFT_IN_PEACE),
            () -> seeing(Mutants::nobodyRecovers)),
        new Mutant(
            "acts on the unknown",
            Set.of(Invariant.THE_UNKNOWN_IS_LEFT_ALONE, Invariant.RECOVERIES_ARE_LEFT_IN_PEACE),
            () -> seeing(Mutants::silenceIsDenial)),
        new Mutant(
            "acts on a stale view",
            Set.of(
                Invariant.PARTITIONS_KEEP_THEIR_MINIMUM,
                Invariant.THE_QUORUM_KEEPS_ITS_MAJORITY,
                Invariant.EVERY_REASON_IS_TRUE),
            Stale::new),
        new Mutant(
            "loops", Set.of(Invariant.NO_LOOPS), () -> remembering(Mutants::withoutWhatWasCured)),
        new Mutant(
            "goes on after a server did not come back",
            Set.of(Invariant.THE_FIRST_THAT_STAYS_AWAY_IS_THE_LAST),
            () -> remembering(Mutants::withoutWhoIsAway)),
        new Mutant(
            "does not wait for a controller",
            Set.of(Invariant.ONE_CONTROLLER_AT_A_TIME),
            () -> remembering(Mutants::withoutWhoIsAway)),
        new Mutant(
            "restarts for nothing",
            Set.of(Invariant.EVERY_REASON_IS_TRUE),
            () -> seeing(Mutants::otherRevisionDesired)),
        new Mutant(
            "never does anything",
            Set.of(Invariant.EVERYTHING_SETTLES),
            () -> (view, _, _) -> new Plan.Done(view.now(), List.of(), List.of())));
  }

  private static Planning seeing(UnaryOperator<View> otherwise) {
    return (view, memory, policy) -> Planner.next(otherwise.apply(view), memory, policy);
  }

  private static Planning remembering(UnaryOperator<ServerMemory> otherwise) {
    return (view, memory, policy) -> {
      SortedMap<Integer, ServerMemory> servers = new TreeMap<>();
      memory.servers().forEach((id, known) -> servers.put(id, otherwise.apply(known)));
      return Planner.next(
          view, new Memory(servers, memory.lastActed(), memory.blockedSince()), policy);
    };
  }

  /** Sees what was there up to a minute ago, and takes it for what is there now. */
  private static final class Stale implements Planning {
    private Optional<View> kept = Optional.empty();

    @Override
    public Plan next(View view, Memory memory, Policy policy) {
      View seen =
          kept.filter(old -> old.now().plus(Duration.ofMinutes(1)).isAfter(view.now()))
              .orElse(view);
      kept = Optional.of(seen);
      return Planner.next(restamped(seen, view), memory, policy);
    }

    private static View restamped(View seen, View now) {
      SortedMap<Integer, ServerReading> servers = new TreeMap<>();
      seen.servers()
          .forEach(
              (id, server) ->
                  servers.put(
                      id,
                      new ServerReading(
                          id,
                          server.roles(),
                          at(server.platform(), now),
                          at(server.recovery(), now),
                          at(server.answering(), now),
                          at(server.fenced(), now),
                          at(server.configuration(), now))));
      return new View(
          now.now(),
          servers,
          at(seen.quorum(), now),
          at(seen.partitions(), now),
          at(seen.reassignments(), now),
          seen.anotherRoll());
    }

    private static <T> Fact<T> at(Fact<T> fact, View now) {
      return fact instanceof Known<T>(T value, _) ? Fact.known(value, now.now()) : fact;
    }
  }

  private static Fact<Partitions> partitions(View view, int minimum, boolean allInSync) {
    return view.partitions()
        .map(
            read -> {
              Partitions.Builder other = Partitions.builder();
              read.forEach(
                  partition ->
                      other
                          .topic(partition.topic(), minimum < 0 ? partition.minimum() : minimum)
                          .partition(
                              partition.number(),
                              ids(partition.replicas()),
                              ids(allInSync ? partition.replicas() : partition.inSync()),
                              minimum == -2 ? new int[0] : eligible(partition)));
              return other.build();
            });
  }

  private static int[] eligible(Partition partition) {
    int[] found = new int[partition.size()];
    int count = 0;
    for (int i = 0; i < partition.size(); i++) {
      if (partition.eligible(i)) {
        found[count++] = partition.replica(i);
      }
    }
    return java.util.Arrays.copyOf(found, count);
  }

  private static int[] ids(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private static View allCaughtUp(View view) {
    return view.withQuorum(
        view.quorum()
            .map(
                seen ->
                    new QuorumReading(
                        seen.leader(),
                        seen.voters().stream()
                            .map(voter -> new Replica(voter.id(), voter.directory(), 1))
                            .toList(),
                        seen.observers(),
                        seen.fetchTimeout())));
  }

  private static View nobodyRecovers(View view) {
    return withServers(
        view,
        server ->
            with(
                server,
                server.platform(),
                server.recovery().map(_ -> RecoveryReading.NOT_RECOVERING)));
  }

  private static View silenceIsDenial(View view) {
    return withServers(
        view,
        server ->
            with(
                server,
                server.platform(),
                server.recovery() instanceof Known
                    ? server.recovery()
                    : Fact.known(RecoveryReading.NOT_RECOVERING, view.now())));
  }

  private static View otherRevisionDesired(View view) {
    return withServers(
        view,
        server ->
            with(
                server,
                server
                    .platform()
                    .map(
                        seen ->
                            new PlatformReading(
                                seen.phase(),
                                seen.since(),
                                seen.ready(),
                                seen.why(),
                                seen.revisionRunning(),
                                "another",
                                seen.asked())),
                server.recovery()));
  }

  private static View withServers(View view, UnaryOperator<ServerReading> otherwise) {
    SortedMap<Integer, ServerReading> servers = new TreeMap<>();
    view.servers().forEach((id, server) -> servers.put(id, otherwise.apply(server)));
    return new View(
        view.now(),
        servers,
        view.quorum(),
        view.partitions(),
        view.reassignments(),
        view.anotherRoll());
  }

  private static ServerReading with(
      ServerReading server, Fact<PlatformReading> platform, Fact<RecoveryReading> recovery) {
    return new ServerReading(
        server.id(),
        server.roles(),
        platform,
        recovery,
        server.answering(),
        server.fenced(),
        server.configuration());
  }

  private static ServerMemory withoutWhatWasCured(ServerMemory known) {
    return new ServerMemory(
        known.outstanding(),
        new TreeMap<>(),
        List.of(),
        known.reconfigurations(),
        known.reconfiguredAt(),
        known.progress(),
        known.settledSince(),
        known.returns(),
        known.returning());
  }

  private static ServerMemory withoutWhoIsAway(ServerMemory known) {
    return new ServerMemory(
        Optional.empty(),
        known.restarts(),
        known.cured(),
        known.reconfigurations(),
        known.reconfiguredAt(),
        known.progress(),
        known.settledSince(),
        known.returns(),
        known.returning());
  }
}
