package dev.sluice.planner;

import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.configuration.Operation;
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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A cluster that obeys at once, in words of the domain. */
final class SimCluster {

  static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  static final Duration FETCH_TIMEOUT = Duration.ofSeconds(2);

  private static final class Server {
    int id;
    Set<Role> roles = EnumSet.noneOf(Role.class);
    Phase phase = Phase.RUNNING;
    Instant since = START.minus(Duration.ofDays(1));
    boolean ready = true;
    boolean neverReady;
    boolean stuckAtStart;
    boolean keepsRevision;
    String why = "";
    String running = "1";
    String desired = "1";
    final List<Asked> asked = new ArrayList<>();
    Optional<RecoveryReading> recovery = Optional.of(RecoveryReading.NOT_RECOVERING);
    boolean platformSilent;
    boolean answers = true;
    boolean fenced;
    boolean configurationUnreadable;
    boolean refusesChanges;
    List<Operation> operations = List.of();
    List<String> readOnly = List.of();
  }

  private record Topic(
      String name,
      int minimum,
      List<Integer> replicas,
      TreeSet<Integer> inSync,
      List<Integer> eligible) {}

  private final SortedMap<Integer, Server> servers = new TreeMap<>();
  private final SortedMap<Integer, Long> lag = new TreeMap<>();
  private final List<Topic> topics = new ArrayList<>();
  private final SortedMap<Integer, String> reassigned = new TreeMap<>();
  private int active = -1;
  private boolean quorumSilent;
  private Optional<String> another = Optional.empty();
  private Optional<QuorumReading> quorum = Optional.empty();
  private boolean partitionsSilent;
  Instant now = START;

  static SimCluster of() {
    return new SimCluster();
  }

  // --- given

  SimCluster brokers(int... ids) {
    return add(EnumSet.of(Role.BROKER), ids);
  }

  SimCluster controllers(int... ids) {
    return add(EnumSet.of(Role.CONTROLLER), ids);
  }

  SimCluster combined(int... ids) {
    return add(EnumSet.of(Role.BROKER, Role.CONTROLLER), ids);
  }

  private SimCluster add(Set<Role> roles, int... ids) {
    for (int id : ids) {
      Server server = new Server();
      server.id = id;
      server.roles = roles;
      servers.put(id, server);
      if (roles.contains(Role.CONTROLLER)) {
        lag.put(id, 0L);
        active = active < 0 ? id : active;
      }
    }
    return this;
  }

  SimCluster active(int id) {
    active = id;
    return this;
  }

  SimCluster noLeader() {
    active = -1;
    return this;
  }

  SimCluster quorumSilent(boolean silent) {
    quorumSilent = silent;
    return this;
  }

  SimCluster quorum(QuorumReading reading) {
    quorum = Optional.of(reading);
    return this;
  }

  /** How far a voter is behind; a negative number: nobody knows. */
  SimCluster behind(int id, long millis) {
    lag.put(id, millis);
    return this;
  }

  SimCluster allOutdated() {
    servers.values().forEach(server -> server.desired = "2");
    return this;
  }

  SimCluster outdated(int... ids) {
    each(ids, server -> server.desired = "2");
    return this;
  }

  SimCluster current(int... ids) {
    each(ids, server -> server.desired = server.running);
    return this;
  }

  SimCluster desired(String revision) {
    servers.values().forEach(server -> server.desired = revision);
    return this;
  }

  SimCluster asked(String why, int... ids) {
    each(ids, server -> server.asked.add(new Asked(Kind.BY_HAND, why, now)));
    return this;
  }

  SimCluster notReady(int... ids) {
    each(ids, server -> server.ready = false);
    return this;
  }

  SimCluster neverReadyAgain(int... ids) {
    each(ids, server -> server.neverReady = true);
    return this;
  }

  SimCluster readyAgain(int... ids) {
    each(
        ids,
        server -> {
          server.neverReady = false;
          server.ready = true;
          server.phase = Phase.RUNNING;
          server.stuckAtStart = false;
          server.platformSilent = false;
          server.recovery = Optional.of(RecoveryReading.NOT_RECOVERING);
        });
    return this;
  }

  SimCluster notRunning(String why, int... ids) {
    each(
        ids,
        server -> {
          server.phase = why.isEmpty() ? Phase.ABSENT : Phase.CANNOT_START;
          server.ready = false;
          server.why = why;
        });
    return this;
  }

  SimCluster staysDown(int... ids) {
    each(ids, server -> server.stuckAtStart = true);
    return this;
  }

  SimCluster keepsRevision(int... ids) {
    each(ids, server -> server.keepsRevision = true);
    return this;
  }

  SimCluster recovering(int id, int logs, int segments) {
    server(id).recovery = Optional.of(new RecoveryReading(true, logs, segments));
    server(id).ready = false;
    return this;
  }

  SimCluster recovered(int id) {
    server(id).recovery = Optional.of(RecoveryReading.NOT_RECOVERING);
    server(id).ready = true;
    return this;
  }

  SimCluster probeSilent(int... ids) {
    each(ids, server -> server.recovery = Optional.empty());
    return this;
  }

  SimCluster platformSilent(int... ids) {
    each(ids, server -> server.platformSilent = true);
    return this;
  }

  SimCluster unanswering(int... ids) {
    each(ids, server -> server.answers = false);
    return this;
  }

  SimCluster fenced(boolean fenced, int... ids) {
    each(ids, server -> server.fenced = fenced);
    return this;
  }

  SimCluster startedNow(int... ids) {
    each(ids, server -> server.since = now);
    return this;
  }

  SimCluster configurationUnreadable(boolean unreadable, int... ids) {
    each(ids, server -> server.configurationUnreadable = unreadable);
    return this;
  }

  SimCluster changes(int id, Operation... operations) {
    server(id).operations = List.of(operations);
    return this;
  }

  SimCluster readOnlyKeys(int id, String... keys) {
    server(id).readOnly = List.of(keys);
    return this;
  }

  SimCluster refusesChanges(int... ids) {
    each(ids, server -> server.refusesChanges = true);
    return this;
  }

  SimCluster topic(String name, int minimum, int[] replicas, int... inSync) {
    TreeSet<Integer> in = new TreeSet<>();
    for (int each : inSync) {
      in.add(each);
    }
    topics.add(new Topic(name, minimum, listed(replicas), in, List.of()));
    return this;
  }

  SimCluster topicWithEligible(
      String name, int minimum, int[] replicas, int[] inSync, int... eligible) {
    topic(name, minimum, replicas, inSync);
    topics.set(
        topics.size() - 1,
        new Topic(name, minimum, listed(replicas), topics.getLast().inSync(), listed(eligible)));
    return this;
  }

  SimCluster inSyncAgain(String topic, int server) {
    topics.stream()
        .filter(each -> each.name().equals(topic))
        .forEach(each -> each.inSync().add(server));
    return this;
  }

  SimCluster leavesSync(String topic, int server) {
    topics.stream()
        .filter(each -> each.name().equals(topic))
        .forEach(each -> each.inSync().remove((Integer) server));
    return this;
  }

  SimCluster reassigning(int server, String what) {
    reassigned.put(server, what);
    return this;
  }

  SimCluster nothingReassigned() {
    reassigned.clear();
    return this;
  }

  SimCluster partitionsSilent(boolean silent) {
    partitionsSilent = silent;
    return this;
  }

  SimCluster anotherRoll(String who) {
    another = Optional.of(who);
    return this;
  }

  SimCluster after(Duration time) {
    now = now.plus(time);
    return this;
  }

  static int[] on(int... servers) {
    return servers;
  }

  // --- when

  View view() {
    SortedMap<Integer, ServerReading> readings = new TreeMap<>();
    servers.forEach((id, server) -> readings.put(id, reading(server)));
    return new View(
        now,
        readings,
        quorumSilent
            ? Fact.missing("no controller answered within 10s")
            : Fact.known(quorumReading(), now),
        partitionsSilent
            ? Fact.missing("the listing of topics failed")
            : Fact.known(partitions(), now),
        Fact.known(new Reassignments(reassigned), now),
        another);
  }

  void perform(Plan.Act act) {
    for (Map.Entry<Integer, Need> target : act.targets().entrySet()) {
      switch (target.getValue()) {
        case Need.Restart _ -> restart(server(target.getKey()));
        case Need.Reconfigure _ when !server(target.getKey()).refusesChanges ->
            server(target.getKey()).operations = List.of();
        case Need.Reconfigure _, Need.Nothing _, Need.Undetermined _ -> {}
      }
    }
  }

  private void restart(Server server) {
    server.since = now.plusMillis(1);
    server.running = server.keepsRevision ? server.running : server.desired;
    server.readOnly = server.keepsRevision ? server.readOnly : List.of();
    server.phase = server.stuckAtStart ? Phase.CANNOT_START : Phase.RUNNING;
    server.ready =
        !server.neverReady
            && !server.stuckAtStart
            && !server.recovery.map(RecoveryReading::recovering).orElse(false);
    server.answers = true;
    server.fenced = false;
  }

  private ServerReading reading(Server server) {
    return new ServerReading(
        server.id,
        server.roles,
        server.platformSilent
            ? Fact.missing("no answer within 10s")
            : Fact.known(
                new PlatformReading(
                    server.phase,
                    server.since,
                    server.ready,
                    server.why,
                    server.running,
                    server.desired,
                    server.asked),
                now),
        server
            .recovery
            .map(reading -> Fact.known(reading, now))
            .orElseGet(() -> Fact.missing("the agent is silent")),
        Fact.known(server.answers, now),
        Fact.known(server.fenced, now),
        server.configurationUnreadable
            ? Fact.missing("describing it failed")
            : Fact.known(new Differences(server.operations, server.readOnly, List.of()), now));
  }

  private QuorumReading quorumReading() {
    if (quorum.isPresent()) {
      return quorum.get();
    }
    long leading = now.toEpochMilli();
    List<Replica> voters =
        lag.entrySet().stream()
            .map(
                each ->
                    new Replica(
                        each.getKey(),
                        QuorumReading.ANY_DIRECTORY,
                        each.getValue() < 0 ? QuorumReading.NEVER : leading - each.getValue()))
            .toList();
    // A cluster of brokers alone has its controllers where this view does not look.
    boolean elsewhere = voters.isEmpty();
    return new QuorumReading(
        elsewhere ? OptionalInt.of(-2) : active < 0 ? OptionalInt.empty() : OptionalInt.of(active),
        elsewhere ? List.of(new Replica(-2, new UUID(0, 0), leading)) : voters,
        List.of(),
        FETCH_TIMEOUT);
  }

  private Partitions partitions() {
    Partitions.Builder builder = Partitions.builder();
    for (Topic topic : topics) {
      builder.topic(topic.name(), topic.minimum());
      builder.partition(0, ids(topic.replicas()), ids(topic.inSync()), ids(topic.eligible()));
    }
    return builder.build();
  }

  private Server server(int id) {
    Server server = servers.get(id);
    if (server == null) {
      throw new IllegalArgumentException("expected one of " + servers.keySet() + ", found " + id);
    }
    return server;
  }

  private void each(int[] ids, java.util.function.Consumer<Server> change) {
    for (int id : ids) {
      change.accept(server(id));
    }
  }

  private static List<Integer> listed(int... ids) {
    return java.util.Arrays.stream(ids).boxed().toList();
  }

  private static int[] ids(java.util.Collection<Integer> ids) {
    return ids.stream().mapToInt(Integer::intValue).toArray();
  }
}
