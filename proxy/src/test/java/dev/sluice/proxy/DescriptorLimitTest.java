package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.protocol.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A proxy in a JVM of its own that may open few files. */
class DescriptorLimitTest {

  /** Enough for the JVM and some dozen connections. */
  private static final int MOST_OPEN_FILES = 160;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  @Test
  void when_no_file_descriptor_is_left_accepting_pauses_and_recovers() throws Exception {
    int port = FreePorts.inARow(ProxyUnderTest.NODES + 1);
    var bootstrap = new Endpoint("127.0.0.1", port);
    var crowd = new ArrayList<Peer>();
    try (var broker = StubBroker.echo()) {
      var proxy = start(broker.endpoint().port(), port);
      try (var early = connectWhenServing(bootstrap)) {
        roundTrip(early, 1);
        while (crowd.size() < MOST_OPEN_FILES) {
          crowd.add(Peer.connect(bootstrap));
        }
        awaitLine("Cannot accept connections");
        roundTrip(early, 2);
        for (var one : crowd) {
          one.leave();
        }
        // Who comes while the crowd leaves may still find no descriptor for its broker.
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> comeAndGo(bootstrap));
        roundTrip(early, 4);
      } finally {
        for (var one : crowd) {
          one.close();
        }
        proxy.getOutputStream().close();
        if (!proxy.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          proxy.destroyForcibly();
        }
      }
      assertThat(proxy.exitValue()).as("%s", told).isZero();
    }
  }

  private Process start(int brokerPort, int firstPort) throws IOException {
    var process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n " + MOST_OPEN_FILES + " && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                FewDescriptors.class.getName(),
                String.valueOf(brokerPort),
                String.valueOf(firstPort))
            .redirectErrorStream(true)
            .start();
    Thread.ofVirtual().start(() -> listen(process.inputReader()));
    return process;
  }

  private void listen(BufferedReader output) {
    output.lines().forEach(told::add);
  }

  private Peer connectWhenServing(Endpoint bootstrap) throws IOException {
    awaitLine("Serving");
    return Peer.connect(bootstrap);
  }

  private void awaitLine(String text) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(List.copyOf(told)).anyMatch(line -> line.contains(text)));
  }

  private static void comeAndGo(Endpoint bootstrap) throws IOException {
    try (var late = Peer.connect(bootstrap)) {
      roundTrip(late, 3);
    }
  }

  private static void roundTrip(Peer client, int id) throws IOException {
    client.write(Frames.heartbeat(id));
    assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(id)));
  }
}
