package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example filter, a jar of a stranger, in the distribution and on a real cluster. */
@ExtendWith(KafkaCluster.class)
class ExampleFilterIT {

  private static final int PORTS = 4;

  @TempDir private Path folder;

  @Test
  void a_jar_in_the_folder_of_filters_judges_by_what_it_asks_the_cluster(EmbeddedCluster kafka)
      throws Exception {
    int first = FreePorts.inARow(2 * PORTS);
    var name = "made-" + UUID.randomUUID();
    try (var _ = serving(kafka, first);
        var few = new Clients("127.0.0.1:" + first).admin();
        var many = new Clients("127.0.0.1:" + (first + PORTS)).admin()) {
      assertThat(
              few.createTopics(List.of(new NewTopic(name, 1, (short) 1)))
                  .all()
                  .toCompletionStage()
                  .toCompletableFuture())
          .failsWithin(Clients.PATIENCE)
          .withThrowableThat()
          .havingRootCause()
          .isInstanceOf(PolicyViolationException.class)
          .withMessageStartingWith("expected at most 0 topics, found ");
      done(many.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all());
      done(many.deleteTopics(List.of(name)).all());
    }
  }

  @Test
  void without_the_jar_its_type_is_not_known(EmbeddedCluster kafka) throws Exception {
    var file = configuration(kafka, FreePorts.inARow(2 * PORTS));
    try (var validate = SluiceProcess.start("validate", "-c", file)) {
      assertThat(validate.exitStatus()).isEqualTo(1);
      assertThat(validate.said())
          .contains("expected the type of a filter that is on the class path, found 'TopicLimit'");
    }
  }

  @Test
  void a_folder_of_filters_that_is_not_there_is_told() throws Exception {
    try (var validate = start("nowhere", "validate", "-c", "x.yaml")) {
      assertThat(validate.exitStatus()).isEqualTo(1);
      assertThat(validate.said()).contains("Expected SLUICE_FILTERS to name a folder with jars");
    }
  }

  private SluiceProcess serving(EmbeddedCluster kafka, int first) throws IOException {
    var file = configuration(kafka, first);
    Files.copy(jar(), Files.createDirectory(folder.resolve("jars")).resolve("of-mine.jar"));
    var proxy = start("jars", "proxy", "-c", file);
    try {
      await("both virtual clusters serve")
          .atMost(Clients.PATIENCE)
          .until(() -> accepts(first) && accepts(first + PORTS));
      return proxy;
    } catch (RuntimeException e) {
      var said = proxy.said();
      proxy.close();
      throw new AssertionError("It said: " + said, e);
    }
  }

  private static boolean accepts(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException _) {
      return false;
    }
  }

  private SluiceProcess start(String jars, String... arguments) throws IOException {
    var script = SluiceProcess.home().resolve("bin").resolve("sluice");
    return SluiceProcess.start(
        Map.of("SLUICE_FILTERS", folder.resolve(jars).toString()), script, arguments);
  }

  private static Path jar() {
    var target = Path.of("..", "example-filter", "target");
    try (var jars = Files.newDirectoryStream(target, "topic-limit-*.jar")) {
      return jars.iterator().next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String configuration(EmbeddedCluster kafka, int first) throws IOException {
    var text =
        """
        filterDefinitions:
          - { name: few, type: TopicLimit, config: { maxTopics: 0 } }
          - { name: many, type: TopicLimit, config: { maxTopics: 1000000 } }
        management: { port: 0 }
        virtualClusters:
        """
            + cluster("few", kafka, first)
            + cluster("many", kafka, first + PORTS);
    return Files.writeString(folder.resolve("proxy.yaml"), text).toString();
  }

  private static String cluster(String name, EmbeddedCluster kafka, int port) {
    return """
      - name: %s
        targetCluster: { bootstrapServers: "%s" }
        filters: [ %s ]
        gateways:
          - name: local
            portIdentifiesNode:
              bootstrapAddress: "127.0.0.1:%d"
              bindAddress: 127.0.0.1
              nodeIdRanges: [ { name: all, start: 1, end: 3 } ]
    """
        .formatted(name, kafka.bootstrapServers(), name, port);
  }
}
