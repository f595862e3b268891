package dev.sluice.app.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.app.configuration.RollConfiguration.Owner;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.LeaseWatch;
import dev.sluice.kubernetes.RollLease;
import dev.sluice.planner.Forecast;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.roller.FileJournal;
import dev.sluice.roller.Journal;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.RollLock;
import dev.sluice.roller.RollLoop;
import dev.sluice.roller.RollRequest;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.ClusterActuator;
import dev.sluice.roller.cluster.ClusterObserver;
import dev.sluice.roller.cluster.KafkaAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A cluster that is about to be rolled. One thread uses it; it closes what it opened. */
public final class RunningRoll implements AutoCloseable {

  private static final Duration CLUSTER_ID_LIMIT = Duration.ofSeconds(15);
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(10);

  /** As long as a lease lasts, and time to see that. */
  private static final Duration LEASE_LIMIT = LeaseWatch.DURATION.plusSeconds(10);

  private static final String JOURNAL = "journal.jsonl";
  private static final Pattern CLUSTER_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final RollConfiguration configuration;
  private final KafkaAccess kafka;
  private final Optional<KubernetesCluster> pods;
  private final String clusterId;
  private final Clock clock = Clock.systemUTC();
  private ClusterObserver.Parts parts;

  private RunningRoll(
      RollConfiguration configuration,
      KafkaAccess kafka,
      Optional<KubernetesCluster> pods,
      ClusterObserver.Parts parts,
      String clusterId) {
    this.configuration = configuration;
    this.kafka = kafka;
    this.pods = pods;
    this.parts = parts;
    this.clusterId = clusterId;
  }

  /**
   * What a person wants.
   *
   * @param maxParallel instead of the configured one
   * @param anew whether an unfinished roll is forgotten
   */
  public record Wish(
      Optional<String> reason,
      Set<Integer> servers,
      Optional<Integer> maxParallel,
      Optional<Instant> until,
      boolean anew) {}

  /**
   * Reaches the cluster.
   *
   * @throws IOException if nobody there answers, with a message for a person
   */
  public static RunningRoll open(RollConfiguration configuration)
      throws IOException, InterruptedException {
    var to = configuration.kafka();
    var kafka = access(to);
    var pods = pods(configuration);
    try {
      var clusterId = kafka.clusterId(CLUSTER_ID_LIMIT);
      if (!CLUSTER_ID.matcher(clusterId).matches()) {
        throw new IOException(
            "Expected a cluster id of letters, digits, '-' and '_', which names a folder here, found '%s'."
                .formatted(clusterId));
      }
      var parts = new RollWiring(configuration, clusterId, pods).parts(kafka);
      return new RunningRoll(configuration, kafka, pods, parts, clusterId);
    } catch (ExecutionException e) {
      kafka.close();
      pods.ifPresent(KubernetesCluster::close);
      throw new IOException(
          "Expected a Kafka cluster at "
              + to.brokers()
              + ", found nobody who tells its id: "
              + e.getMessage(),
          e);
    } catch (IOException | RuntimeException e) {
      kafka.close();
      pods.ifPresent(KubernetesCluster::close);
      throw e;
    }
  }

  /** Names that nobody resolves yet are no fault of the program. */
  private static KafkaAccess access(RollConfiguration.Kafka to) throws IOException {
    try {
      return KafkaAccess.open(to.brokers(), to.controllers(), to.properties());
    } catch (RuntimeException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          "Expected addresses and properties that a client of Kafka takes, found: "
              + cause.getMessage(),
          e);
    }
  }

  private static Optional<KubernetesCluster> pods(RollConfiguration configuration) {
    return configuration.platform() instanceof Owner.Pods(var settings)
        ? Optional.of(KubernetesCluster.open(settings))
        : Optional.empty();
  }

  public String clusterId() {
    return clusterId;
  }

  /** Who owns the servers, in words. */
  public String platform() {
    return parts.platform().name();
  }

  /** Every line of the journal, the oldest first. */
  public void readJournal(Consumer<JsonNode> reader) throws IOException {
    if (pods.isPresent()) {
      pods.get().journal(clusterId).lines().forEach(reader);
    } else {
      FileJournal.readLines(journalFile(), reader);
    }
  }

  private Path journalFile() {
    return configuration.stateFolder().resolve(clusterId).resolve(JOURNAL);
  }

  /** Everything that would be done now, and touches nothing. */
  public Forecast forecast(Wish wish) throws IOException, InterruptedException {
    checkServers(wish);
    var request = new RollRequest(clock.instant(), wish.reason(), wish.servers());
    try (var observer = new ClusterObserver(parts.with(request), clock)) {
      var policy = policy(request, wish);
      var view = observer.look(Memory.EMPTY, policy).view();
      return Planner.forecast(view, Memory.EMPTY, policy);
    }
  }

  /** Hears how a roll begins, and how to stop it. */
  @FunctionalInterface
  public interface Beginning {
    /**
     * It begins now.
     *
     * @param resumed whether it goes on with what was asked for earlier
     */
    void began(RollRequest request, boolean resumed, RollLoop loop);
  }

  /**
   * Rolls, or goes on with a roll that asked for the same and did not come to its end.
   *
   * @throws IOException if somebody else rolls the cluster, there is no such server, or the journal
   *     cannot be used
   */
  public Outcome run(Wish wish, RollListener listener, Beginning beginning)
      throws IOException, InterruptedException {
    checkServers(wish);
    var loop = new LoopUnderWay();
    if (pods.isPresent()) {
      var cluster = pods.get();
      refuse(cluster);
      try (var lease = lease(cluster, loop::stop)) {
        cluster.actUnder(lease);
        return roll(wish, listener, beginning, cluster.journal(clusterId), loop);
      }
    }
    try (var _ = RollLock.ofMachine(clusterId);
        var _ = RollLock.take(configuration.stateFolder().resolve(clusterId));
        var journal = FileJournal.open(journalFile())) {
      return roll(wish, listener, beginning, journal, loop);
    }
  }

  private static void refuse(KubernetesCluster cluster) throws IOException, InterruptedException {
    var refusal = cluster.refusal();
    if (refusal.isPresent()) {
      throw new IOException("Nothing may be restarted: " + refusal.get());
    }
  }

  /** Waits for it as long as its holder may be gone. */
  private RollLease lease(KubernetesCluster cluster, Consumer<String> lost)
      throws IOException, InterruptedException {
    var watch = cluster.lease(clusterId, identity());
    var deadline = System.nanoTime() + LEASE_LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      var lease = watch.attempt(lost);
      if (lease.isPresent()) {
        return lease.get();
      }
      Thread.sleep(LeaseWatch.BETWEEN_ATTEMPTS);
    }
    throw new IOException(
        "Expected the lease of this cluster to become free, found it held by "
            + watch.holder()
            + "; wait for it, or stop it.");
  }

  /** Who we are, among all rollers. */
  static String identity() {
    var host = System.getenv().getOrDefault("HOSTNAME", "host");
    return "%s/%d/%s".formatted(host, ProcessHandle.current().pid(), UUID.randomUUID());
  }

  /**
   * Rolls under a right that somebody holds.
   *
   * @param under is told the loop, for whoever has to stop it
   */
  Outcome roll(
      Wish wish, RollListener listener, Beginning beginning, Journal journal, LoopUnderWay under)
      throws IOException, InterruptedException {
    var wanted = new RollRequest(clock.instant(), wish.reason(), wish.servers());
    var before = journal.unfinished();
    var same = before.filter(found -> !wish.anew() && found.request().asksTheSameAs(wanted));
    var request = same.map(Journal.Unfinished::request).orElse(wanted);
    var memory = same.map(Journal.Unfinished::memory).orElse(Memory.EMPTY);
    var all =
        pods.<RollListener>map(each -> new RollListeners(List.of(each.scribe(), listener)))
            .orElse(listener);
    try (var observer = new ClusterObserver(parts.with(request), clock);
        var actuator =
            new ClusterActuator(kafka, parts.platform(), parts.servers(), CHANGE_LIMIT)) {
      var loop =
          new RollLoop(
              observer, actuator, journal, all, configuration.loop().withUntil(wish.until()));
      under.begins(loop);
      beginning.began(request, same.isPresent(), loop);
      if (same.isEmpty()) {
        journal.asked(request);
      }
      return loop.run(memory, policy(request, wish));
    }
  }

  // --- for whoever rolls whenever there is need

  Optional<KubernetesCluster> pods() {
    return pods;
  }

  /** Servers may have come and gone. */
  void refresh() throws IOException, InterruptedException {
    parts = new RollWiring(configuration, clusterId, pods).parts(kafka);
  }

  /** What would be done next by somebody who remembers nothing. */
  Plan next(RollListener listener) throws InterruptedException {
    var request = new RollRequest(clock.instant(), Optional.empty(), Set.of());
    try (var observer = new ClusterObserver(parts.with(request), clock)) {
      var look = observer.look(Memory.EMPTY, configuration.policy());
      var plan = Planner.next(look.view(), Memory.EMPTY, configuration.policy());
      listener.foresaw(() -> Planner.forecast(look.view(), Memory.EMPTY, configuration.policy()));
      listener.decided(look, plan);
      return plan;
    }
  }

  private void checkServers(Wish wish) throws IOException {
    var known = parts.servers().stream().map(ServerSpec::id).collect(Collectors.toSet());
    for (var id : wish.servers()) {
      if (!known.contains(id)) {
        throw new IOException(
            "Expected one of the servers %s, found %d; mend --server, or name it in the configuration."
                .formatted(new TreeSet<>(known), id));
      }
    }
  }

  private Policy policy(RollRequest request, Wish wish) {
    var policy =
        wish.maxParallel()
            .map(configuration.policy()::withMaxParallel)
            .orElse(configuration.policy());
    var frozen = new TreeSet<>(policy.frozen());
    parts.servers().stream()
        .filter(server -> !request.includes(server.id()))
        .forEach(server -> frozen.add(server.id()));
    return policy.withFrozen(frozen);
  }

  /** The first signal stops after the batch under way, the second ends at once. */
  public static void obeySignals(RollLoop loop) {
    Signals.onFirst(name -> loop.stopAfterBatch("the process received " + name));
  }

  @Override
  public void close() {
    kafka.close();
    pods.ifPresent(KubernetesCluster::close);
  }
}
