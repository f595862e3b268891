package dev.sluice.app.run;

import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.planner.Forecast;
import dev.sluice.planner.Memory;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A cluster that is about to be rolled. One thread uses it; it closes what it opened. */
public final class RunningRoll implements AutoCloseable {

  private static final Duration CLUSTER_ID_LIMIT = Duration.ofSeconds(15);
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(10);
  private static final String JOURNAL = "journal.jsonl";
  private static final Pattern CLUSTER_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final RollConfiguration configuration;
  private final KafkaAccess kafka;
  private final ClusterObserver.Parts parts;
  private final String clusterId;
  private final Clock clock = Clock.systemUTC();

  private RunningRoll(
      RollConfiguration configuration,
      KafkaAccess kafka,
      ClusterObserver.Parts parts,
      String clusterId) {
    this.configuration = configuration;
    this.kafka = kafka;
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
    var kafka = KafkaAccess.open(to.brokers(), to.controllers(), to.properties());
    try {
      var clusterId = kafka.clusterId(CLUSTER_ID_LIMIT);
      if (!CLUSTER_ID.matcher(clusterId).matches()) {
        throw new IOException(
            "Expected a cluster id of letters, digits, '-' and '_', which names a folder here, found '%s'."
                .formatted(clusterId));
      }
      var parts = new RollWiring(configuration, clusterId).parts(kafka);
      return new RunningRoll(configuration, kafka, parts, clusterId);
    } catch (ExecutionException e) {
      kafka.close();
      throw new IOException(
          "Expected a Kafka cluster at "
              + to.brokers()
              + ", found nobody who tells its id: "
              + e.getMessage(),
          e);
    } catch (IOException | RuntimeException e) {
      kafka.close();
      throw e;
    }
  }

  public String clusterId() {
    return clusterId;
  }

  /** Who owns the servers, in words. */
  public String platform() {
    return parts.platform().name();
  }

  /** Where the journal of a cluster is. */
  public static Path journal(RollConfiguration configuration, String clusterId) {
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
    var journalFile = journal(configuration, clusterId);
    try (var _ = RollLock.ofMachine(clusterId);
        var _ = RollLock.take(configuration.stateFolder().resolve(clusterId));
        var journal = FileJournal.open(journalFile)) {
      var wanted = new RollRequest(clock.instant(), wish.reason(), wish.servers());
      var before = journal.unfinished();
      var same = before.filter(found -> !wish.anew() && found.request().asksTheSameAs(wanted));
      var request = same.map(Journal.Unfinished::request).orElse(wanted);
      var memory = same.map(Journal.Unfinished::memory).orElse(Memory.EMPTY);
      try (var observer = new ClusterObserver(parts.with(request), clock);
          var actuator =
              new ClusterActuator(kafka, parts.platform(), parts.servers(), CHANGE_LIMIT)) {
        var loop =
            new RollLoop(
                observer,
                actuator,
                journal,
                listener,
                configuration.loop().withUntil(wish.until()));
        beginning.began(request, same.isPresent(), loop);
        if (same.isEmpty()) {
          journal.asked(request);
        }
        return loop.run(memory, policy(request, wish));
      }
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
  }
}
