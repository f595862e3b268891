package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.guide.Block;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configurations of pages of which no command makes use are run as well, and a client comes by
 * each. Names lead to this machine; only ports are others.
 */
@Tag("acceptance")
class GuideConfigurationsIT {

  private static final List<String> PAGES =
      List.of(
          "README.md", "docs/guide/filters.md", "docs/guide/operate.md", "docs/guide/reload.md");
  private static final int PORTS = 5;
  private static final int MANAGEMENT = 4;

  /** Of a page that shows only what else there is. */
  private static final String A_VIRTUAL_CLUSTER =
      """
      virtualClusters:
        - name: any
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "localhost:9192" } } ]
      """;

  @TempDir private Path folder;
  private final int port = FreePorts.inARow(PORTS);

  @Test
  void each_configuration_of_the_pages_runs_and_serves() throws Exception {
    var hosts = PrivateHosts.with(folder, "kafka-0", "kafka-0.example", "kafka-1.example");
    boolean there = Child.find("kcat").isPresent() && hosts.isPossible();
    if (!there) {
      System.err.println("SKIPPED: GuideConfigurationsIT, needs kcat and names of its own");
    }
    assumeTrue(there, "kcat, and names of one's own");
    try (var kafka = EmbeddedCluster.start(ClusterPlan.combined(1))) {
      var servers = kafka.bootstrapServers();
      var broker = servers.substring(servers.lastIndexOf(':'));
      var shell =
          GuideShell.in(folder)
              .within(hosts)
              .with(":9092", broker)
              .with(":19092", broker)
              .with("localhost:9192", "localhost:" + port);
      int tried = 0;
      for (var page : PAGES) {
        for (var block : GuidePage.blocks(page)) {
          if (block.language().equals("yaml")) {
            run(shell, block, "t" + tried++, servers);
          }
        }
      }
      assertThat(tried).as("configurations").isGreaterThanOrEqualTo(4);
    }
  }

  private void run(GuideShell shell, Block block, String topic, String servers) throws Exception {
    var text = block.text().replace("port: 9190", "port: " + (port + MANAGEMENT));
    var whole = text.contains("virtualClusters:") ? text : text + A_VIRTUAL_CLUSTER;
    var managed = whole.contains("management:") ? whole : "management: { port: 0 }\n" + whole;
    var file = Files.writeString(folder.resolve("sluice.yaml"), shell.here(managed));
    var sluice = SluiceProcess.home().resolve("bin").resolve("sluice").toString();
    var command = shell.inThere(List.of(sluice, "proxy", "-c", file.toString()));
    try (var proxy =
        SluiceProcess.start(
            Path.of(command.getFirst()),
            command.subList(1, command.size()).toArray(String[]::new))) {
      proxy.awaitErrors("to=serving");
      var at = "-b localhost:" + port + " -t " + topic;
      var produced = shell.said("echo hello | kcat -P " + at);
      assertThat(shell.said("kcat -C -e -q " + at)).as(block + ": " + produced).contains("hello\n");
      assertThat(shell.said("kcat -L -b " + servers))
          .as("on the broker, by " + block)
          .contains((text.contains("TopicPrefix") ? "\"team-a." : "\"") + topic + "\"");
    }
  }
}
