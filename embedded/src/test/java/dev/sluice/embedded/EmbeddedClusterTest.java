package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One cluster of three combined servers; every test leaves its servers as it likes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmbeddedClusterTest {

  private static final Duration READY_LIMIT = EmbeddedCluster.START_LIMIT;

  /**
   * Controllers let a broker register anew once the session of its last process is over, also when
   * that stopped well: by Kafka's own 9 s most of these tests would be spent waiting. With much
   * less than this, heartbeats time out on a machine that is full, and nobody serves.
   */
  private static final ClusterPlan PLAN =
      ClusterPlan.combined(3).withProperty("broker.session.timeout.ms", "6000");

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = EmbeddedCluster.start(PLAN);
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
      assertThat(cluster.folder()).doesNotExist();
    }
  }

  @BeforeEach
  void all_servers_serve() throws Exception {
    for (EmbeddedServer server : cluster.servers()) {
      server.resume();
      server.start();
    }
    cluster.awaitReady(READY_LIMIT);
  }

  @Test
  void what_was_produced_is_consumed() throws Exception {
    var topic = Topic.create(cluster, "produced").write(20);

    assertThat(topic.read(20)).isEqualTo(Topic.values(20));
  }

  @Test
  void a_server_asked_to_stop_ends_by_SIGTERM() {
    var stopped = cluster.server(1).stop();

    assertThat(stopped.alive()).isFalse();
    assertThat(stopped.exitStatus()).hasValue(128 + 15);
    assertThat(cluster.server(1).lastLogLines(400))
        .anyMatch(line -> line.contains("BrokerServer id=1] shut down completed"));
  }

  @Test
  void a_killed_server_recovers() throws Exception {
    var topic = Topic.create(cluster, "killed").write(20);

    var killed = cluster.server(3).kill();
    assertThat(killed.alive()).isFalse();
    assertThat(killed.exitStatus()).hasValue(128 + 9);

    cluster.server(3).start();
    cluster.awaitReady(READY_LIMIT);
    assertThat(topic.read(20)).isEqualTo(Topic.values(20));
  }

  @Test
  void a_paused_server_is_silent_until_it_is_resumed() throws Exception {
    var server = cluster.server(1);
    String address = server.brokerAddress().orElseThrow();

    assertThat(server.pause().paused()).isTrue();
    assertThat(server.alive()).isTrue();
    assertThat(Greeting.isAnsweredBy(address)).isFalse();

    assertThat(server.resume().paused()).isFalse();
    cluster.awaitReady(READY_LIMIT);
    await().atMost(READY_LIMIT).until(() -> Greeting.isAnsweredBy(address));
  }

  @Test
  void ctrl_c_of_a_terminal_ends_neither_servers_nor_supervisor() throws Exception {
    long server = cluster.server(1).pid();
    for (long pid : List.of(server, cluster.supervisorPid())) {
      Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -INT " + pid).start();
      assertThat(kill.waitFor()).isZero();
    }

    assertThat(cluster.server(2).pause().paused()).as("the supervisor still obeys").isTrue();
    assertThat(cluster.server(2).resume().paused()).isFalse();
    assertThat(cluster.server(1).pid()).isEqualTo(server);
    assertThat(cluster.server(1).alive()).isTrue();
  }

  @Test
  void a_paused_server_can_be_stopped() {
    cluster.server(2).pause();

    assertThat(cluster.server(2).stop().alive()).isFalse();
  }

  @Test
  void a_restart_makes_a_changed_property_effective_and_keeps_the_records() throws Exception {
    var server = cluster.server(2);
    var topic = Topic.create(cluster, "restarted").write(20);
    var before = server.facts();
    assertThat(before.outdated()).isFalse();

    server.changeProperties(Map.of("message.max.bytes", "654321"));
    assertThat(server.facts().outdated()).isTrue();

    var after = server.restart();
    cluster.awaitReady(READY_LIMIT);
    assertThat(after.starts()).isEqualTo(before.starts() + 1);
    assertThat(after.pid()).isNotEqualTo(before.pid());
    assertThat(after.startedAt()).isAfter(before.startedAt());
    assertThat(server.facts().outdated()).isFalse();
    assertThat(configured(2, "message.max.bytes")).isEqualTo("654321");
    assertThat(configured(1, "message.max.bytes")).isNotEqualTo("654321");
    assertThat(topic.read(20)).isEqualTo(Topic.values(20));
  }

  @Test
  void another_process_attaches_by_the_folder() throws Exception {
    try (var attached = EmbeddedCluster.attach(cluster.folder())) {
      assertThat(attached.clusterId()).isEqualTo(cluster.clusterId());
      assertThat(attached.bootstrapServers()).isEqualTo(cluster.bootstrapServers());
      assertThat(attached.server(1).roles()).containsExactlyInAnyOrder(Role.values());

      assertThat(attached.server(1).pause().paused()).isTrue();
      assertThat(cluster.server(1).facts().paused()).isTrue();
      assertThat(attached.server(1).resume().paused()).isFalse();
      attached.awaitReady(READY_LIMIT);
    }
    assertThat(cluster.facts()).hasSize(3).allMatch(ServerFacts::alive);
  }

  @Test
  void the_supervisor_does_not_answer_who_has_no_token() throws Exception {
    var address = cluster.folder().resolve("supervisor.properties");
    var known = SupervisorAddress.read(address);
    var stranger =
        new SupervisorClient(new SupervisorAddress(known.port(), "guessed", known.pid()));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(address)))
        .isEqualTo("rw-------");
    assertThatThrownBy(stranger::facts)
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("'facts -1 0 -1' was answered with nothing");
  }

  @Test
  void a_server_that_does_not_exist_is_refused_with_the_reason() {
    var client =
        new SupervisorClient(
            SupervisorAddress.read(cluster.folder().resolve("supervisor.properties")));

    assertThatThrownBy(() -> client.ask(SupervisorVerb.START, 77, Duration.ZERO))
        .hasRootCauseMessage(
            "'start 77 0 -1' was answered with failed Expected the id of a server, found 77");
  }

  @Test
  void groups_of_every_kind_are_enabled() throws Exception {
    try (Admin admin = Admin.create(Topic.bootstrap(cluster))) {
      var features = admin.describeFeatures().featureMetadata().get(60, TimeUnit.SECONDS);

      assertThat(features.finalizedFeatures())
          .containsKeys("group.version", "share.version", "streams.version", "transaction.version");
    }
  }

  @Test
  void three_brokers_keep_three_copies_of_which_two_must_be_in_sync() throws Exception {
    assertThat(configured(1, "default.replication.factor")).isEqualTo("3");
    assertThat(configured(1, "offsets.topic.replication.factor")).isEqualTo("3");
    assertThat(configured(1, "min.insync.replicas")).isEqualTo("2");
  }

  private static String configured(int id, String name) throws Exception {
    var broker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id));
    try (Admin admin = Admin.create(Topic.bootstrap(cluster))) {
      var configs = admin.describeConfigs(List.of(broker)).all().get(60, TimeUnit.SECONDS);
      return Objects.requireNonNull(configs.get(broker)).get(name).value();
    }
  }
}
