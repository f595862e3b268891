package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** A proxy in a JVM of its own that may open few files. */
class DescriptorLimitTest {

  /** Enough for the JVM and some dozen connections. */
  private static final int MOST_OPEN_FILES = 160;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void when_no_file_descriptor_is_left_accepting_pauses_and_recovers() throws Exception {
    var crowd = new ArrayList<Peer>();
    try (var broker = StubBroker.echo();
        var proxy = ChildProxy.before(broker, "ulimit -n " + MOST_OPEN_FILES, "-Xmx128m");
        var early = proxy.connect()) {
      roundTrip(early, 1);
      while (crowd.size() < MOST_OPEN_FILES) {
        crowd.add(proxy.connect());
      }
      proxy.awaitLine("Cannot accept connections");
      roundTrip(early, 2);
      for (var one : crowd) {
        one.leave();
      }
      // Who comes while the crowd leaves may still find no descriptor for its broker.
      await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> comeAndGo(proxy));
      roundTrip(early, 4);
    } finally {
      for (var one : crowd) {
        one.close();
      }
    }
  }

  private static void comeAndGo(ChildProxy proxy) throws IOException {
    try (var late = proxy.connect()) {
      roundTrip(late, 3);
    }
  }

  private static void roundTrip(Peer client, int id) throws IOException {
    client.write(Frames.heartbeat(id));
    assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(id)));
  }
}
