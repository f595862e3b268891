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
import dev.sluice.planner.reading.Fact.Missing;
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
import org.apache.kafka.clients.admin.Admin;
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
  private final Leaderless leaderless = new Leaderless();

  /**
   * What is asked.
   *
   * @param clusterId of the cluster that the roll is about; whoever is of another is not believed
   * @param servers that the roll is about
   * @param request what a person asked for; empty when only plans are made
   * @param limit of one observation
   */
  public record Parts(
      String clusterId,
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
      return new Parts(
          clusterId, kafka, platform, recovery, desired, servers, Optional.of(asked), limit);
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
    Cheap seen = cheap(policy.patience().startGrace());
    View cheap = seen.view();
    if (!Planner.looksAtPartitions(cheap, memory, policy)) {
      return Look.of(cheap);
    }
    if (seen.registered() instanceof Missing<Map<Integer, Node>>(String why)) {
      return Look.of(cheap.withPartitions(Fact.missing(why)));
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
    return reduced instanceof Known<PartitionLook.Reduced>(PartitionLook.Reduced read, _)
        ? new Look(view, read.astray(), read.starving())
        : Look.of(view);
  }

  /** Everything but the partitions; these are asked of brokers that said that they are of us. */
  private record Cheap(View view, Fact<Map<Integer, Node>> registered) {}

  private Cheap cheap(Duration grace) throws InterruptedException {
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
    ports.remember(registered);
    ports.remember(known);
    questions.replaceAll(
        each -> each.port().isPresent() ? each : each.withPort(port(each.server(), deadline)));
    Fact<QuorumReading> described =
        unlessMissing(parts.kafka().controllers().isPresent() ? known : registered, quorum);
    Fact<Reassignments> moving = unlessMissing(registered, reassignments);
    List<ServerAnswers> answers = new ArrayList<>();
    for (ServerQuestions each : questions) {
      answers.add(each.answers());
    }
    Fact<QuorumReading> seenQuorum = leaderless.judge(described, answers, clock.instant());
    SortedMap<Integer, ServerReading> servers = new TreeMap<>();
    for (ServerAnswers each : answers) {
      servers.put(each.server().id(), reading(each, registered, seenQuorum, grace));
    }
    View view =
        new View(
            clock.instant(),
            servers,
            seenQuorum,
            Fact.<Partitions>missing(NOT_NEEDED),
            moving,
            Optional.empty());
    return new Cheap(view, registered);
  }

  /** What an end point tells counts only when it has said that it is of this cluster. */
  private static <T> Fact<T> unlessMissing(
      Fact<Map<Integer, Node>> members, Gathering.Asked<T> asked) throws InterruptedException {
    Fact<T> answer = asked.answer();
    return members instanceof Missing<Map<Integer, Node>>(String why) ? Fact.missing(why) : answer;
  }

  /** Its port is left for later while only Kafka knows where it is. */
  private ServerQuestions ask(ServerSpec server, long deadline) {
    String of = " of " + server.id();
    return new ServerQuestions(
        server,
        gathering.ask("platform" + of, deadline, () -> parts.platform().look(server)),
        gathering.ask("recovery" + of, deadline, () -> parts.recovery().look(server)),
        ports.knows(server) ? Optional.of(port(server, deadline)) : Optional.empty());
  }

  private Gathering.Asked<PortLook.Seen> port(ServerSpec server, long deadline) {
    return gathering.ask("port of " + server.id(), deadline, () -> ports.look(server));
  }

  // --- questions, each on a thread of its own

  private Map<Integer, Node> brokers() throws Exception {
    var options = new DescribeClusterOptions().includeFencedBrokers(true);
    return MembersLook.of(parts.kafka().brokers(), options, parts.clusterId(), parts.limit());
  }

  private Map<Integer, Node> controllers() throws Exception {
    Optional<Admin> controllers = parts.kafka().controllers();
    return controllers.isEmpty()
        ? Map.of()
        : MembersLook.of(
            controllers.get(), new DescribeClusterOptions(), parts.clusterId(), parts.limit());
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
      ServerAnswers told,
      Fact<Map<Integer, Node>> brokers,
      Fact<QuorumReading> quorum,
      Duration grace) {
    ServerSpec server = told.server();
    Set<Role> roles = actualRoles(server, brokers, quorum);
    return new ServerReading(
        server.id(),
        roles,
        told.platform().map(reading -> withRequest(server, reading)),
        told.recovery(),
        ports.answering(server, told.port(), told.platform(), grace),
        brokers.map(nodes -> roles.contains(Role.BROKER) && isFenced(nodes, server)),
        differences(server, roles, PortLook.configuration(told.port())));
  }

  /** As Kafka knows it; what it was meant to be counts only where Kafka does not know it at all. */
  static Set<Role> actualRoles(
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
    return platform.withAsked(asked);
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

  @Override
  public void close() {
    gathering.close();
    partitionGathering.close();
  }
}
