package dev.sluice.roller.cluster;

import dev.sluice.planner.Assessment;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.planner.configuration.KeyTable;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.Platform;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ElectLeadersOptions;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acts on a real cluster. Used by the thread of the loop; each server has a thread of its own. */
public final class ClusterActuator implements Actuator, AutoCloseable {

  /** How long a batch is waited for before the next look; what takes longer goes on. */
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(30);

  private static final Duration ELECTION_LIMIT = Duration.ofSeconds(20);
  private static final int ELECTION_PARTITIONS = 1_000;
  private static final int LAST_WORDS = 15;
  private static final Logger LOG = LoggerFactory.getLogger(ClusterActuator.class);

  private final KafkaAccess kafka;
  private final Platform platform;
  private final Map<Integer, ServerSpec> servers = new LinkedHashMap<>();
  private final Duration changeLimit;
  private final KeyTable keys = KafkaKeys.load();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param changeLimit for a change of configuration to be accepted, and again to take effect
   */
  public ClusterActuator(
      KafkaAccess kafka, Platform platform, List<ServerSpec> servers, Duration changeLimit) {
    this.kafka = kafka;
    this.platform = platform;
    this.changeLimit = changeLimit;
    servers.forEach(server -> this.servers.put(server.id(), server));
  }

  @Override
  public List<Performed> perform(Plan.Act act) throws InterruptedException {
    Map<Integer, Future<Optional<String>>> under = new LinkedHashMap<>();
    act.targets()
        .forEach(
            (id, need) -> under.put(id, threads.submit(() -> perform(id, need, process(act, id)))));
    long deadline = System.nanoTime() + WAIT_LIMIT.toNanos();
    List<Performed> performed = new ArrayList<>();
    for (var each : under.entrySet()) {
      performed.add(new Performed(each.getKey(), failure(each.getValue(), deadline)));
    }
    return performed;
  }

  private Optional<String> perform(int id, Need need, Optional<Instant> process)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    ServerSpec server = server(id);
    return switch (need) {
      case Need.Restart _ -> {
        platform.restart(server, process);
        yield Optional.empty();
      }
      case Need.Reconfigure(List<Operation> operations) -> {
        Admin admin =
            kafka
                .of(server)
                .orElseThrow(() -> new IOException("no way to controllers is configured"));
        yield new ConfigurationChange(admin, id, changeLimit, keys).make(operations);
      }
      case Need.Nothing _, Need.Undetermined _ ->
          throw new IllegalStateException("expected something to do, found " + need);
    };
  }

  private static Optional<String> failure(Future<Optional<String>> action, long deadline)
      throws InterruptedException {
    try {
      return action.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return Optional.empty(); // it goes on, and the next look sees how far it is
    } catch (ExecutionException e) {
      return Optional.of(Gathering.said(e));
    }
  }

  private static Optional<Instant> process(Plan.Act act, int server) {
    return act.servers().stream()
        .filter(each -> each.server() == server)
        .findFirst()
        .flatMap(Assessment::process);
  }

  @Override
  public void electPreferred(List<Look.Astray> astray) throws InterruptedException {
    for (int from = 0; from < astray.size(); from += ELECTION_PARTITIONS) {
      Set<TopicPartition> partitions = new HashSet<>();
      astray
          .subList(from, Math.min(from + ELECTION_PARTITIONS, astray.size()))
          .forEach(each -> partitions.add(new TopicPartition(each.topic(), each.partition())));
      var options = new ElectLeadersOptions().timeoutMs((int) ELECTION_LIMIT.toMillis());
      try {
        KafkaAccess.get(
            kafka.brokers().electLeaders(ElectionType.PREFERRED, partitions, options).partitions(),
            ELECTION_LIMIT);
      } catch (ExecutionException | TimeoutException e) {
        // Leadership is comfort; brokers balance it by themselves in time.
        LOG.atWarn().addKeyValue("why", Gathering.said(e)).log("No preferred leaders elected");
        return;
      }
    }
  }

  @Override
  public List<String> lastWords(int server) {
    return platform.lastWords(server(server), LAST_WORDS);
  }

  private ServerSpec server(int id) {
    ServerSpec server = servers.get(id);
    if (server == null) {
      throw new IllegalArgumentException(
          "expected one of " + servers.keySet() + ", found server " + id);
    }
    return server;
  }

  /** Waits for nothing: what a platform was asked for, it finishes. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
