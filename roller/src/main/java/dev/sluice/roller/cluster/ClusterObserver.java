package dev.sluice.roller.cluster;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.planner.configuration.Actual;
import dev.sluice.planner.configuration.ActualEntry;
import dev.sluice.planner.configuration.Desired;
import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.configuration.KeyTable;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.PlatformReading.Asked;
import dev.sluice.planner.reading.PlatformReading.Kind;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.Reassignments;
import dev.sluice.planner.reading.Role;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import dev.sluice.roller.Look;
import dev.sluice.roller.Observer;
import dev.sluice.roller.Platform;
import dev.sluice.roller.RecoveryProbe;
import dev.sluice.roller.RollRequest;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.ListPartitionReassignmentsOptions;
import org.apache.kafka.common.Node;

/**
 * Looks at a real cluster: everything at once, each fact within one bound and failing alone.
 * Partitions only when the planner says that they matter. Used by the thread of the loop.
 */
public final class ClusterObserver implements Observer, AutoCloseable {

  /**
   * Partitions are many requests. What takes longer than this is too old to decide on by default.
   */
  private static final int PARTITIONS_LIMIT_FACTOR = 3;

  private static final String NOT_NEEDED = "nobody looked: nothing to do depends on them";

  private final Parts parts;
  private final KeyTable keys = KafkaKeys.load();
  private final Clock clock;
  private final Gathering gathering;
  private final Gathering partitionGathering;
  private final PortLook ports;

  /**
   * What is asked.
   *
   * @param servers that the roll is about
   * @param request what a person asked for; empty when only plans are made
   * @param limit of one observation
   */
  public record Parts(
      KafkaAccess kafka,
      Platform platform,
      RecoveryProbe recovery,
      DesiredConfiguration desired,
      List<ServerSpec> servers,
      Optional<RollRequest> request,
      Duration limit) {
    public Parts {
      servers = List.copyOf(servers);
    }

    /** The same, asked for something. */
    public Parts with(RollRequest asked) {
      return new Parts(kafka, platform, recovery, desired, servers, Optional.of(asked), limit);
    }
  }

  public ClusterObserver(Parts parts, Clock clock) {
    this.parts = parts;
    this.clock = clock;
    this.gathering = new Gathering(clock, parts.limit());
    this.partitionGathering =
        new Gathering(clock, parts.limit().multipliedBy(PARTITIONS_LIMIT_FACTOR));
    this.ports = new PortLook(parts);
  }

  @Override
  public Look look(Memory memory, Policy policy) throws InterruptedException {
    View cheap = cheap(policy.patience().startGrace());
    if (!Planner.looksAtPartitions(cheap, memory, policy)) {
      return Look.of(cheap);
    }
    Fact<PartitionLook.Reduced> reduced =
        partitionGathering
            .ask(
                "partitions",
                partitionGathering.deadline(),
                () -> PartitionLook.of(parts.kafka().brokers(), parts.limit()))
            .answer();
    View view =
        new View(
            clock.instant(),
            cheap.servers(),
            cheap.quorum(),
            reduced.map(PartitionLook.Reduced::partitions),
            cheap.reassignments(),
            cheap.anotherRoll());
    return reduced instanceof Known<PartitionLook.Reduced>(PartitionLook.Reduced seen, _)
        ? new Look(view, seen.astray(), seen.starving())
        : Look.of(view);
  }

  /** Everything but the partitions. */
  private View cheap(Duration grace) throws InterruptedException {
    long deadline = gathering.deadline();
    var brokers = gathering.ask("brokers", deadline, this::brokers);
    var controllers = gathering.ask("controllers", deadline, this::controllers);
    var quorum =
        gathering.ask("quorum", deadline, () -> QuorumLook.of(parts.kafka(), parts.limit()));
    var reassignments = gathering.ask("reassignments", deadline, this::reassignments);
    List<ServerQuestions> questions = new ArrayList<>();
    for (ServerSpec server : parts.servers()) {
      questions.add(ask(server, deadline));
    }
    Fact<Map<Integer, Node>> registered = brokers.answer();
    Fact<Map<Integer, Node>> known = controllers.answer();
    Fact<QuorumReading> seenQuorum = quorum.answer();
    ports.remember(registered);
    ports.remember(known);
    SortedMap<Integer, ServerReading> servers = new TreeMap<>();
    for (ServerQuestions each : questions) {
      servers.put(each.server().id(), reading(each, registered, seenQuorum, grace));
    }
    return new View(
        clock.instant(),
        servers,
        seenQuorum,
        Fact.<Partitions>missing(NOT_NEEDED),
        reassignments.answer(),
        Optional.empty());
  }

  private ServerQuestions ask(ServerSpec server, long deadline) {
    String of = " of " + server.id();
    return new ServerQuestions(
        server,
        gathering.ask("platform" + of, deadline, () -> parts.platform().look(server)),
        gathering.ask("recovery" + of, deadline, () -> parts.recovery().look(server)),
        gathering.ask("port" + of, deadline, () -> ports.look(server)));
  }

  // --- questions, each on a thread of its own

  private Map<Integer, Node> brokers() throws Exception {
    var options =
        new DescribeClusterOptions()
            .includeFencedBrokers(true)
            .timeoutMs((int) parts.limit().toMillis());
    return byId(
        KafkaAccess.get(parts.kafka().brokers().describeCluster(options).nodes(), parts.limit()));
  }

  private Map<Integer, Node> controllers() throws Exception {
    if (parts.kafka().controllers().isEmpty()) {
      return Map.of();
    }
    var options = new DescribeClusterOptions().timeoutMs((int) parts.limit().toMillis());
    return byId(
        KafkaAccess.get(
            parts.kafka().controllers().get().describeCluster(options).nodes(), parts.limit()));
  }

  private Reassignments reassignments() throws Exception {
    var options = new ListPartitionReassignmentsOptions().timeoutMs((int) parts.limit().toMillis());
    Map<Integer, String> byServer = new TreeMap<>();
    KafkaAccess.get(
            parts.kafka().brokers().listPartitionReassignments(options).reassignments(),
            parts.limit())
        .forEach(
            (partition, moving) ->
                moving.replicas().forEach(id -> byServer.putIfAbsent(id, partition.toString())));
    return Reassignments.of(byServer);
  }

  // --- answers

  private ServerReading reading(
      ServerQuestions asked,
      Fact<Map<Integer, Node>> brokers,
      Fact<QuorumReading> quorum,
      Duration grace)
      throws InterruptedException {
    ServerSpec server = asked.server();
    Set<Role> roles = actualRoles(server, brokers, quorum);
    Fact<PlatformReading> platform = asked.platform().answer();
    Fact<PortLook.Seen> port = asked.port().answer();
    return new ServerReading(
        server.id(),
        roles,
        platform.map(reading -> withRequest(server, reading)),
        asked.recovery().answer(),
        ports.answering(server, port, platform, grace),
        brokers.map(nodes -> roles.contains(Role.BROKER) && isFenced(nodes, server)),
        differences(server, roles, PortLook.configuration(port)));
  }

  /** As Kafka knows it; what it was meant to be counts only where Kafka does not know it at all. */
  private static Set<Role> actualRoles(
      ServerSpec server, Fact<Map<Integer, Node>> brokers, Fact<QuorumReading> quorum) {
    if (!(brokers instanceof Known<Map<Integer, Node>>(Map<Integer, Node> nodes, _)
        && quorum instanceof Known<QuorumReading>(QuorumReading seen, _))) {
      return server.roles();
    }
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (nodes.containsKey(server.id())) {
      roles.add(Role.BROKER);
    }
    if (seen.voters().stream().anyMatch(voter -> voter.id() == server.id())) {
      roles.add(Role.CONTROLLER);
    }
    return roles.isEmpty() ? server.roles() : roles;
  }

  /** A broker that is not registered serves no partition either. */
  private static boolean isFenced(Map<Integer, Node> brokers, ServerSpec server) {
    Node node = brokers.get(server.id());
    return node == null || node.isFenced();
  }

  private PlatformReading withRequest(ServerSpec server, PlatformReading platform) {
    Optional<RollRequest> request = parts.request().filter(each -> each.includes(server.id()));
    if (request.isEmpty() || request.get().reason().isEmpty()) {
      return platform;
    }
    List<Asked> asked = new ArrayList<>(platform.asked());
    asked.add(new Asked(Kind.BY_HAND, request.get().reason().get(), request.get().requestedAt()));
    return new PlatformReading(
        platform.phase(),
        platform.since(),
        platform.ready(),
        platform.why(),
        platform.revisionRunning(),
        platform.revisionDesired(),
        asked);
  }

  private Fact<Differences> differences(
      ServerSpec server, Set<Role> roles, Fact<Map<String, ActualEntry>> entries) {
    try {
      Optional<Desired> desired = parts.desired().of(server);
      if (desired.isEmpty()) {
        return Fact.known(Differences.NONE, clock.instant());
      }
      return entries.map(
          found ->
              Differences.between(
                  desired.get(),
                  Actual.of(found, roles.contains(Role.BROKER), roles.contains(Role.CONTROLLER)),
                  keys));
    } catch (IOException e) {
      return Fact.missing("what is desired could not be read: " + Gathering.said(e));
    }
  }

  private static Map<Integer, Node> byId(Iterable<Node> nodes) {
    Map<Integer, Node> byId = new TreeMap<>();
    nodes.forEach(node -> byId.put(node.id(), node));
    return byId;
  }

  @Override
  public void close() {
    gathering.close();
    partitionGathering.close();
  }
}
