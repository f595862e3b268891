package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.proxy.DrainReport;
import dev.sluice.proxy.VirtualClusterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The upstream connections of all clients are switched by a reload, under load, and no client
 * notices. The ordinary run has five such switches in {@link RestartIT}: a restart is one to the
 * same configuration.
 */
@ExtendWith(KafkaCluster.class)
class SwitchIT {

  private static final String NAME = "orders";
  private static final int SWITCHES = 5;
  private static final int MANY_SWITCHES = 50;

  /** Producers that keep to their rate. */
  private static final int PRODUCERS = 4;

  private static final Duration LONG_POLL = Duration.ofSeconds(60);

  @Test
  @Tag("acceptance")
  void no_client_notices_fifty_switches(EmbeddedCluster kafka) throws Exception {
    switchUnderLoad(kafka, MANY_SWITCHES);
  }

  @Test
  void a_switch_does_not_wait_for_long_polls(EmbeddedCluster kafka) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, NAME)) {
      var clients = new Clients(proxy.bootstrapServers(NAME));
      var topic = clients.topic();
      var settings =
          Map.<String, Object>of(
              ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
              (int) LONG_POLL.toMillis(),
              ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
              (int) LONG_POLL.toMillis() + 30_000,
              ConsumerConfig.GROUP_PROTOCOL_CONFIG,
              "consumer");
      try (var consumer = clients.consumer(topic, settings);
          var producer = clients.producer(Map.of())) {
        consumer.subscribe(List.of(topic));
        Clients.produce(producer, topic, 10);
        assertThat(Clients.consume(consumer, 10)).hasSize(10);
        for (int i = 0; i < SWITCHES; i++) {
          await("polls are left with the brokers")
              .atMost(Clients.PATIENCE)
              .until(() -> inFlightAfterAPoll(proxy, consumer), polls -> polls >= 2);
          var report = reload(proxy);
          System.out.println("switched: " + report);
          assertThat(report.took()).isLessThan(LONG_POLL.dividedBy(10));
          assertThat(report.counted().count(Outcome.SWITCHED)).isGreaterThanOrEqualTo(2);
          assertThat(report.counted().earlyAnswers()).isPositive();
          Clients.produce(producer, topic, 10);
          assertThat(Clients.consume(consumer, 10)).hasSize(10);
        }
        // What a consumer says at its end waits behind its polls.
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      }
    }
  }

  private static int inFlightAfterAPoll(
      RunningProxy proxy, KafkaConsumer<String, String> consumer) {
    consumer.poll(Duration.ofMillis(200));
    return proxy.proxy().virtualCluster(NAME).orElseThrow().requestsInFlight();
  }

  private static void switchUnderLoad(EmbeddedCluster kafka, int switches) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, NAME)) {
      var plan = AuditPlan.of(proxy.bootstrapServers(NAME)).withWitness(kafka.bootstrapServers());
      try (var audit = Audit.start(plan, new LogbackSource())) {
        assertThat(audit.awaitWarm(System.out::println)).as("clients without progress").isEmpty();
        awaitLoad(audit, 2);
        audit.enter(Window.EVENT);
        for (int i = 0; i < switches; i++) {
          var report = reload(proxy);
          System.out.println("switched: " + report);
          assertThat(report.counted().count(Outcome.SWITCHED)).as("%s", report).isPositive();
          assertThat(report.counted().outcomes().keySet())
              .as("%s", report)
              .isSubsetOf(Outcome.SWITCHED, Outcome.CLIENT_LEFT);
          awaitLoad(audit, 1);
        }
        Unnoticed.assertUnnoticed(audit.finish());
      }
    }
  }

  private static void awaitLoad(Audit audit, int seconds) {
    long enough = audit.sent() + (long) seconds * Load.DEFAULT.recordsPerSecond() * PRODUCERS;
    await().atMost(Clients.PATIENCE).until(audit::sent, sent -> sent >= enough);
  }

  // ---- by reload -----------------------------------------------------------------------------

  /** A reload in place to its end: the bootstrap servers come in another order. */
  private static DrainReport reload(RunningProxy proxy) throws Exception {
    var reconfiguration = proxy.proxy().reconfiguration();
    var spec = proxy.proxy().virtualCluster(NAME).orElseThrow().spec();
    int generation = of(reconfiguration.accept(another(spec))).generation();
    until(
        proxy,
        life ->
            !(life.state() instanceof Serving(_, Change.Preparing(int next))
                && next == generation));
    of(reconfiguration.switchTo(NAME, generation, Way.IN_PLACE, Fallback.ROLL_BACK));
    until(proxy, life -> !life.state().isUnderReload());
    return await()
        .atMost(Clients.PATIENCE)
        .until(
            () -> proxy.proxy().virtualCluster(NAME).orElseThrow().lastDrain(),
            last -> last.filter(one -> one.generation() == generation - 1).isPresent())
        .orElseThrow();
  }

  private static VirtualClusterSpec another(VirtualClusterSpec spec) {
    var servers = new ArrayList<>(spec.bootstrapServers());
    Collections.rotate(servers, 1);
    return new VirtualClusterSpec(
        spec.name(), spec.drain(), servers, spec.gateways(), spec.limits());
  }

  private static void until(RunningProxy proxy, Predicate<Life> wanted) throws Exception {
    of(proxy.proxy().reconfiguration().until(NAME, wanted));
  }

  private static <T> T of(Optional<CompletionStage<T>> asked) throws Exception {
    return asked.orElseThrow().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
