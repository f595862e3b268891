package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Way;
import io.micrometer.core.instrument.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever generations hold is given back. */
class NothingPilesUpTest {

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  @Test
  void ten_generations_leave_no_socket_thread_or_series_behind() throws Exception {
    change(10);
  }

  @Test
  @Tag("acceptance")
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void a_hundred_generations_leave_no_socket_thread_or_series_behind() throws Exception {
    change(100);
  }

  private static void change(int generations) throws IOException {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      int first = proxy.bootstrap().port();
      int other = FreePorts.inARow(ProxyUnderTest.NODES + 1);
      change(proxy, broker, other);
      change(proxy, broker, first);
      var series = series(proxy);
      long threads = threads();
      long sockets = awaitSockets(proxy);
      for (int change = 0; change < generations; change++) {
        change(proxy, broker, change % 2 == 0 ? other : first);
      }
      assertThat(proxy.view().life().generation()).isEqualTo(generations + 3);
      assertThat(series(proxy)).isEqualTo(series);
      assertThat(threads()).isEqualTo(threads);
      await().untilAsserted(() -> assertThat(sockets()).isLessThanOrEqualTo(sockets));
    }
  }

  /** To other ports, with a client that is quiesced. */
  private static void change(ProxyUnderTest proxy, StubBroker broker, int firstPort)
      throws IOException {
    try (var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      Asked.switched(
          proxy,
          ProxyUnderTest.cluster(ProxyUnderTest.NAME, broker.endpoint(), firstPort),
          Way.HANDOVER);
      assertThat(client.readToEnd()).isEmpty();
    }
    Asked.untilSettled(proxy);
  }

  private static Set<Meter.Id> series(ProxyUnderTest proxy) {
    return proxy.registry().getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("sluice-"))
        .count();
  }

  private static long awaitSockets(ProxyUnderTest proxy) throws IOException {
    proxy.awaitQuiet();
    return sockets();
  }

  private static long sockets() throws IOException {
    try (var files = Files.list(OPEN_FILES)) {
      return files.filter(NothingPilesUpTest::isSocket).count();
    }
  }

  private static boolean isSocket(Path file) {
    try {
      return Files.readSymbolicLink(file).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // Closed meanwhile.
    }
  }
}
