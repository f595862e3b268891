package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ClusterStartTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;

  @Test
  void a_port_that_somebody_took_meanwhile_is_replaced() throws Exception {
    var choices = new AtomicInteger();
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PortChooser unlucky =
          count -> {
            List<Integer> ports = new ArrayList<>(PortChooser.byChance().choose(count));
            if (choices.getAndIncrement() == 0) {
              ports.set(0, taken.getLocalPort());
            }
            return ports;
          };

      try (var cluster = new ClusterStart(ClusterPlan.combined(1), unlucky, LIMIT).run()) {
        assertThat(choices).hasValue(2);
        assertThat(cluster.bootstrapServers()).doesNotContain(":" + taken.getLocalPort());
        assertThat(Topic.create(cluster, "after-all").write(1).read(1)).hasSize(1);
      }
    }
  }

  @Test
  void a_server_that_cannot_start_is_reported_with_its_last_log_lines() {
    var plan = ClusterPlan.combined(1).withProperty("num.io.threads", "none").inFolder(folder);

    assertThatThrownBy(() -> EmbeddedCluster.start(plan))
        .isInstanceOf(ServersNotReadyException.class)
        .hasMessageContaining("these ended: [1]")
        .hasMessageContaining("Invalid value none for configuration num.io.threads");
    assertThat(folder.resolve("supervisor.properties")).doesNotExist();
  }

  @Test
  void a_server_that_does_not_serve_in_time_is_reported_with_what_was_last_seen() {
    var hurry = Duration.ofMillis(100);
    var start = new ClusterStart(ClusterPlan.combined(1), PortChooser.byChance(), hurry);

    assertThatThrownBy(start::run)
        .isInstanceOf(ServersNotReadyException.class)
        .hasMessageContaining("within PT0.1S, last seen: no answer from [127.0.0.1:");
  }

  @Test
  void servers_run_from_a_folder_of_jars_and_a_kept_folder_holds_their_logs_and_data()
      throws Exception {
    Path jars = Files.createDirectory(folder.resolve("jars"));
    for (Path jar : KafkaClasspath.ofThisJvm().entries()) {
      if (jar.toString().endsWith(".jar")) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
      }
    }
    Path kept = folder.resolve("kept");
    var plan =
        ClusterPlan.separate(1, 1)
            .withHeapMegabytes(300)
            .running(KafkaClasspath.of(jars))
            .inFolder(kept);
    try (var cluster = EmbeddedCluster.start(plan)) {
      assertThat(cluster.server(1).roles()).containsExactly(Role.BROKER);
      assertThat(cluster.server(101).roles()).containsExactly(Role.CONTROLLER);
      assertThat(cluster.controllerBootstrapServers())
          .isEqualTo(cluster.server(101).controllerAddress().orElseThrow());
      assertThat(Topic.create(cluster, "kept").write(5).read(5)).isEqualTo(Topic.values(5));
    } finally {
      ClusterFolder.remove(jars);
    }

    assertThat(Files.readString(kept.resolve("server-1/server.log")))
        .contains("shut down completed");
    assertThat(kept.resolve("server-1/data/kept-0")).isDirectory();
  }

  @Test
  void a_folder_that_is_not_empty_is_refused() throws Exception {
    Files.createFile(folder.resolve("precious"));
    var plan = ClusterPlan.combined(1).inFolder(folder);

    assertThatThrownBy(() -> EmbeddedCluster.start(plan))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Expected an empty folder for a new cluster");
    assertThat(folder.resolve("precious")).exists();
  }

  @Test
  void a_class_path_without_a_Kafka_server_is_refused() {
    var plan = ClusterPlan.combined(1).running(KafkaClasspath.of(folder));

    assertThatThrownBy(() -> EmbeddedCluster.start(plan))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Expected a jar of the Kafka server");
  }

  @Test
  @Tag("acceptance")
  void three_controllers_and_three_brokers_serve() throws Exception {
    try (var cluster = EmbeddedCluster.start(ClusterPlan.separate(3, 3))) {
      assertThat(cluster.facts()).hasSize(6).allMatch(ServerFacts::alive);
      assertThat(Topic.create(cluster, "six").write(5).read(5)).isEqualTo(Topic.values(5));
    }
  }
}
