package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file that the page about moving over shows is run by Kroxylicious itself (from Maven Central,
 * as bench/peers fetches it) and by Sluice, side by side, with a client behind each.
 */
@Tag("acceptance")
@ExtendWith(KafkaCluster.class)
class KroxyliciousGuideIT {

  private static final String PAGE = "docs/guide/coming-from-kroxylicious.md";
  private static final Path PEERS = Path.of("..", "bench", "peers");
  private static final Path PEER = PEERS.resolve("kroxylicious");
  private static final Path CLASS_PATH = PEER.resolve("target").resolve("class-path");

  /** Of one proxy: the gateway's, then one for each broker, then that of its management. */
  private static final int PORTS = 5;

  private static final int MANAGEMENT = 4;

  /** Where the page has Kafka. */
  private static final String BROKER = "localhost:9092";

  @TempDir private Path folder;
  private final int theirs = FreePorts.inARow(2 * PORTS);
  private final int ours = theirs + PORTS;

  @BeforeEach
  void fetch() throws Exception {
    if (!Files.exists(CLASS_PATH)) {
      Child.run(List.of(PEERS.resolve("fetch").toString()), "");
    }
    boolean there = Files.exists(CLASS_PATH) && Child.find("kcat").isPresent();
    if (!there) {
      System.err.println("SKIPPED: KroxyliciousGuideIT, it cannot be fetched, or kcat is missing");
    }
    assumeTrue(there, "Kroxylicious and kcat");
  }

  @Test
  void one_file_runs_both_proxies_and_clients_move_from_one_to_the_other(EmbeddedCluster kafka)
      throws Exception {
    var servers = kafka.bootstrapServers();
    var shell =
        GuideShell.in(folder).with("localhost:9192", "localhost:" + ours).with(BROKER, servers);
    var yaml =
        GuidePage.blocks(PAGE).stream()
            .filter(block -> block.language().equals("yaml"))
            .findFirst()
            .orElseThrow()
            .text();
    write("theirs.yaml", yaml, theirs, servers);
    write("proxy.yaml", yaml, ours, servers);
    try (var peer = new Peer();
        var sluice = SluiceProcess.start("proxy", "-c", folder.resolve("proxy.yaml").toString())) {
      sluice.awaitErrors("to=serving");
      peer.awaitServing(shell);
      passes(shell, theirs, ours, "from them to us");
      passes(shell, ours, theirs, "and back");
      for (int at : List.of(theirs, ours)) {
        assertThat(shell.said("curl -s localhost:" + (at + MANAGEMENT) + "/metrics"))
            .as("the metrics of " + at)
            .contains("# TYPE ");
      }
      for (var typed : GuidePage.read(PAGE).typed()) {
        shell.within(Clients.PATIENCE.multipliedBy(3)).type(PAGE, typed);
      }
    }
  }

  /** The same file at other ports. */
  private void write(String name, String yaml, int port, String servers) throws IOException {
    assertThat(yaml).contains("port: 9190", "localhost:9192", BROKER);
    Files.writeString(
        folder.resolve(name),
        yaml.replace("port: 9190", "port: " + (port + MANAGEMENT))
            .replace("localhost:9192", "localhost:" + port)
            .replace(BROKER, servers));
  }

  private static void passes(GuideShell shell, int from, int to, String word) throws Exception {
    var topic = "moved-" + from + "-" + to;
    var produced =
        shell.said("echo '%s' | kcat -P -b localhost:%d -t %s".formatted(word, from, topic));
    assertThat(shell.said("kcat -C -e -q -b localhost:%d -t %s".formatted(to, topic)))
        .as("after: " + produced)
        .contains(word + "\n");
  }

  private final class Peer implements AutoCloseable {

    private final Path said = folder.resolve("theirs.log");
    private final Process process;

    Peer() throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  Files.readString(CLASS_PATH).strip(),
                  PEER.resolve("RunKroxylicious.java").toString(),
                  folder.resolve("theirs.yaml").toString())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
    }

    void awaitServing(GuideShell shell) {
      await("Kroxylicious serves")
          .atMost(Clients.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(shell.said("kcat -L -m 2 -b localhost:" + theirs))
                      .as("it is %s and said: %s", process, Files.readString(said))
                      .contains("broker 1 at localhost:"));
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
