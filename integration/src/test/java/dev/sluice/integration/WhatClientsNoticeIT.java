package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.Step;
import dev.sluice.proxy.ClientConnections;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.DrainManner;
import dev.sluice.proxy.DrainReport;
import dev.sluice.proxy.DrainSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What clients notice when their virtual cluster is restarted, or drained and started again: the
 * figures of the guide. Of the ordinary run {@link RestartIT} has a few.
 */
@ExtendWith(KafkaCluster.class)
class WhatClientsNoticeIT {

  private static final String NAME = "orders";
  private static final int MANY = 50;
  private static final int FEW = 5;
  private static final int DRAINS = 10;

  /** Of fifty events two may show; of five none. */
  private static final int OF_SO_MANY_ONE_MAY_SHOW = 25;

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
  private static final Duration ABSENCE = Duration.ofSeconds(5);
  private static final Path PROGRAMS = Path.of("..", "audit", "target", "clients");

  /** For comparison: what the same load notices of itself. */
  @Test
  @Tag("acceptance")
  void java_clients_notice_nothing_of_nothing(EmbeddedCluster kafka) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, NAME)) {
      var noticed = Noticed.of(plan(proxy, kafka, Selection.JAVA), MANY, _ -> {});
      System.out.println(noticed.told("nothing happened"));
      System.out.println(noticed.row("nothing happened"));
      assertThat(noticed.breaches()).isEmpty();
      assertUnnoticed(noticed, MANY);
    }
  }

  @Test
  @Tag("acceptance")
  void java_clients_notice_nothing_of_fifty_restarts(EmbeddedCluster kafka) throws Exception {
    var noticed = restarts(kafka, Selection.JAVA, MANY, ClientConnections.KEPT);

    assertThat(noticed.breaches()).isEmpty();
    assertThat(noticed.count(Measure.CANCELLED)).as("cancelled requests").isZero();
    assertThat(noticed.count(Measure.DISCONNECTS)).as("connections that ended").isZero();
    assertThat(noticed.count(Measure.REBALANCES)).as("rebalances").isZero();
    assertUnnoticed(noticed, MANY);
  }

  @Test
  @Tag("acceptance")
  void java_clients_notice_little_of_fifty_restarts_that_close_connections(EmbeddedCluster kafka)
      throws Exception {
    var noticed = restarts(kafka, Selection.JAVA, MANY, ClientConnections.CLOSED);

    assertThat(noticed.breachesOfClosing()).isEmpty();
    assertUnnoticed(noticed, MANY);
  }

  @Test
  @Tag("acceptance")
  void applications_in_other_languages_see_no_error_of_restarts(EmbeddedCluster kafka)
      throws Exception {
    var noticed = restartsOfPrograms(kafka, ClientConnections.KEPT);

    assertThat(noticed.breaches()).isEmpty();
    assertThat(noticed.count(Measure.DISCONNECTS)).as("connections that ended").isZero();
    assertThat(noticed.count(Measure.REBALANCES)).as("rebalances").isZero();
  }

  @Test
  @Tag("acceptance")
  void applications_in_other_languages_lose_nothing_by_restarts_that_close_connections(
      EmbeddedCluster kafka) throws Exception {
    var noticed = restartsOfPrograms(kafka, ClientConnections.CLOSED);

    assertThat(noticed.breachesOfClosingPrograms()).isEmpty();
  }

  /** A reader with whoever writes for it: nobody else's connections are told of the restart. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "java-acks0",
        "java-acks1,java-share",
        "java-plain,java-classic",
        "java-idempotent,java-streams",
        "java-transactional,java-consumer"
      })
  @Tag("acceptance")
  void a_java_client_alone_notices_nothing_of_restarts(String clients, EmbeddedCluster kafka)
      throws Exception {
    var noticed = restarts(kafka, Selection.parse(clients), FEW, ClientConnections.KEPT);

    assertThat(noticed.breaches()).isEmpty();
    assertThat(noticed.count(Measure.CANCELLED)).as("cancelled requests").isZero();
    assertThat(noticed.count(Measure.DISCONNECTS)).as("connections that ended").isZero();
    assertThat(noticed.count(Measure.REBALANCES)).as("rebalances").isZero();
    assertUnnoticed(noticed, FEW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "confluent-kafka",
        "kafka-python",
        "aiokafka",
        "kafkajs",
        "franz-go",
        "sarama",
        "kcat"
      })
  @Tag("acceptance")
  void a_client_in_another_language_alone_notices_nothing_of_restarts(
      String client, EmbeddedCluster kafka) throws Exception {
    assumeProgramsAreThere();
    var noticed = restarts(kafka, Selection.parse(client), FEW, ClientConnections.KEPT);

    assertThat(noticed.breaches()).isEmpty();
    assertThat(noticed.count(Measure.DISCONNECTS)).as("connections that ended").isZero();
    assertThat(noticed.count(Measure.REBALANCES)).as("rebalances").isZero();
  }

  private static Noticed restartsOfPrograms(EmbeddedCluster kafka, ClientConnections clients)
      throws Exception {
    assumeProgramsAreThere();
    return restarts(kafka, Selection.PROGRAMS, MANY, clients);
  }

  private static void assumeProgramsAreThere() {
    boolean there = Files.isDirectory(PROGRAMS.resolve("bin"));
    if (!there) {
      System.err.println("SKIPPED: clients of other languages: run audit/clients/setup first");
    }
    assumeTrue(there, "clients of other languages are not set up");
  }

  @Test
  @Tag("acceptance")
  void java_clients_come_back_after_drains_with_nothing_lost(EmbeddedCluster kafka)
      throws Exception {
    var noticed = drains(kafka, DrainManner.QUIET);

    // A group that finds nobody for seconds begins anew where it committed last: it reads again.
    assertThat(noticed.breachesOfClosing())
        .allMatch(breach -> breach.startsWith("java-classic: duplicated"));
    assertThat(noticed.cancelled("PRODUCE")).isZero();
  }

  /** For comparison: what is seen when nobody takes care. */
  @Test
  @Tag("acceptance")
  void connections_that_are_closed_at_once_are_noticed(EmbeddedCluster kafka) throws Exception {
    assertThat(drains(kafka, DrainManner.AT_ONCE).cancelled("PRODUCE")).isPositive();
  }

  /** For comparison: what is seen when a proxy stops reading, waits, and closes. */
  @Test
  @Tag("acceptance")
  void connections_that_are_closed_unread_are_noticed(EmbeddedCluster kafka) throws Exception {
    assertThat(drains(kafka, DrainManner.UNREAD).cancelled("PRODUCE")).isPositive();
  }

  private static Noticed restarts(
      EmbeddedCluster kafka, Selection clients, int events, ClientConnections connections)
      throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, NAME)) {
      var noticed =
          Noticed.of(plan(proxy, kafka, clients), events, _ -> restart(proxy, connections));
      var title = "restarted, connections " + connections;
      System.out.println(noticed.told(title));
      System.out.println(noticed.row(title));
      return noticed;
    }
  }

  private static void restart(RunningProxy proxy, ClientConnections connections) throws Exception {
    var begun = Instant.now();
    of(proxy.proxy().restart(NAME, connections));
    awaitCalm(proxy);
    var drain = reported(proxy, begun);
    System.out.println(drain);
    assertThat(drain.connections()).as("connections under load").isPositive();
  }

  private static Noticed drains(EmbeddedCluster kafka, DrainManner manner) throws Exception {
    try (var proxy = RunningProxy.inFrontOf(kafka, DrainSpec.DEFAULT.by(manner), NAME)) {
      var noticed =
          Noticed.of(plan(proxy, kafka, Selection.JAVA), DRAINS, _ -> drainAndStart(proxy));
      var title = "drained " + manner + ", started again 5 s later";
      System.out.println(noticed.told(title));
      System.out.println(noticed.row(title));
      return noticed;
    }
  }

  private static void drainAndStart(RunningProxy proxy) throws Exception {
    var begun = Instant.now();
    of(proxy.proxy().drain(NAME));
    await().atMost(LIMIT).until(() -> view(proxy).life().state() instanceof ClusterState.Stopped);
    System.out.println(reported(proxy, begun));
    Thread.sleep(ABSENCE); // What is shown is an absence of this length.
    of(proxy.proxy().start(NAME));
    awaitCalm(proxy);
  }

  private static void of(Optional<CompletionStage<Step>> asked) throws Exception {
    var _ = asked.orElseThrow().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static AuditPlan plan(RunningProxy proxy, EmbeddedCluster kafka, Selection clients) {
    return AuditPlan.of(proxy.bootstrapServers(NAME))
        .withWitness(kafka.bootstrapServers())
        .withClients(clients)
        .withPrograms(PROGRAMS);
  }

  private static void awaitCalm(RunningProxy proxy) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                view(proxy).life().state() instanceof ClusterState.Serving serving
                    && serving.change() instanceof Change.None);
  }

  private static DrainReport reported(RunningProxy proxy, Instant begun) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> view(proxy).lastDrain(),
            drain -> drain.filter(one -> !one.since().isBefore(begun)).isPresent())
        .orElseThrow();
  }

  private static ClusterView view(RunningProxy proxy) {
    return proxy.proxy().virtualCluster(NAME).orElseThrow();
  }

  private static void assertUnnoticed(Noticed noticed, int events) {
    int mayShow = events / OF_SO_MANY_ONE_MAY_SHOW;
    assertThat(noticed.cancelled("PRODUCE")).as("cancelled Produce requests").isZero();
    assertThat(noticed.cancelled("OFFSET_COMMIT")).as("cancelled OffsetCommit requests").isZero();
    assertThat(noticed.count(Measure.REBOOTSTRAPS)).as("re-bootstraps").isZero();
    assertThat(noticed.count("java-consumer", Measure.REBALANCES)).isZero();
    assertThat(noticed.count("java-classic", Measure.REBALANCES)).isLessThanOrEqualTo(1);
    assertThat(noticed.eventsWithWarnings(Noticed.THROTTLE_NOTICE))
        .as("restarts with warnings beyond the notice of a pause")
        .isLessThanOrEqualTo(mayShow);
    assertThat(noticed.eventsWithPauses(LONGEST_PAUSE))
        .as("restarts with a pause of " + LONGEST_PAUSE + " beyond the baseline")
        .isLessThanOrEqualTo(mayShow);
  }
}
