package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.reload.ClusterOutcome;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.ReloadReport.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ports whose address changes, and ports that go from one virtual cluster to another. */
class PortsMoveTest {

  private static final String EVERYWHERE = "0.0.0.0";
  private static final String LOOPBACK = "127.0.0.1";
  private static final String OTHER = "two";
  private static final int EACH = ProxyUnderTest.NODES + 1;

  private final StubBroker broker = StubBroker.echo();

  @AfterEach
  void end() throws Exception {
    broker.close();
  }

  @Test
  void an_address_becomes_all_and_one_again_and_nobody_who_arrives_is_refused() throws Exception {
    int port = FreePorts.inARow(EACH);
    try (var proxy = running(cluster(ProxyUnderTest.NAME, EVERYWHERE, port))) {
      var arrivals = new Arrivals(proxy);
      for (int i = 0; i < 3; i++) {
        assertServedAt(LOOPBACK, port);
        reload(proxy, cluster(ProxyUnderTest.NAME, LOOPBACK, port));
        assertServedAt(LOOPBACK, port);
        reload(proxy, cluster(ProxyUnderTest.NAME, EVERYWHERE, port));
      }
      assertThat(arrivals.end()).isNull();
    }
  }

  @Test
  void a_narrower_address_listens_there_only_and_shares_its_port_with_nobody() throws Exception {
    int port = FreePorts.inARow(EACH);
    try (var proxy = running(cluster(ProxyUnderTest.NAME, EVERYWHERE, port))) {
      reload(proxy, cluster(ProxyUnderTest.NAME, LOOPBACK, port));
      assertServedAt(LOOPBACK, port);
      try (var elsewhere = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.2"))) {
        assertThat(elsewhere.isBound()).as("free at another address").isTrue();
      }
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> ProxyUnderTest.occupy(port))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void what_cannot_be_prepared_at_another_address_leaves_the_former_as_it_was() throws Exception {
    int port = FreePorts.inARow(EACH);
    try (var proxy = running(cluster(ProxyUnderTest.NAME, LOOPBACK, port));
        var _ = new ServerSocket(port + 1, 1, InetAddress.getByName("127.0.0.2"))) {
      var report = ask(proxy, cluster(ProxyUnderTest.NAME, EVERYWHERE, port));
      assertThat(report.verdict()).isEqualTo(Verdict.FAILED);
      assertThat(outcome(report, ProxyUnderTest.NAME).sentence()).contains("port " + (port + 1));
      assertServedAt(LOOPBACK, port);
    }
  }

  @Test
  void ports_that_one_gives_up_another_gets_in_the_same_reload() throws Exception {
    int first = FreePorts.inARow(3 * EACH);
    int second = first + EACH;
    int third = second + EACH;
    try (var proxy =
        running(cluster(ProxyUnderTest.NAME, LOOPBACK, first), cluster(OTHER, LOOPBACK, second))) {
      reload(
          proxy, cluster(ProxyUnderTest.NAME, LOOPBACK, second), cluster(OTHER, LOOPBACK, third));
      assertServedAt(LOOPBACK, second);
      assertServedAt(LOOPBACK, third);
      assertThat(proxy.view().spec().gateways().getFirst().bootstrapAddress().port())
          .isEqualTo(second);
    }
  }

  @Test
  void ports_that_two_exchange_are_refused_before_anything_is_touched_and_both_are_named()
      throws Exception {
    int first = FreePorts.inARow(2 * EACH);
    int second = first + EACH;
    try (var proxy =
        running(cluster(ProxyUnderTest.NAME, LOOPBACK, first), cluster(OTHER, LOOPBACK, second))) {
      var report =
          ask(
              proxy,
              cluster(ProxyUnderTest.NAME, LOOPBACK, second),
              cluster(OTHER, LOOPBACK, first));
      assertThat(report.verdict()).isEqualTo(Verdict.FAILED);
      assertThat(outcome(report, OTHER))
          .isInstanceOfSatisfying(
              ClusterOutcome.Refused.class,
              refused -> assertThat(refused.why()).contains(ProxyUnderTest.NAME + ", " + OTHER));
      assertThat(proxy.view().life().newestGeneration()).isEqualTo(1);
    }
  }

  @Test
  void a_port_that_another_of_them_keeps_is_refused_with_both_names() throws Exception {
    int first = FreePorts.inARow(2 * EACH);
    int second = first + EACH;
    try (var proxy =
        running(cluster(ProxyUnderTest.NAME, LOOPBACK, first), cluster(OTHER, LOOPBACK, second))) {
      // As where the other was to leave, and could not.
      var report =
          ask(
              proxy,
              cluster(ProxyUnderTest.NAME, LOOPBACK, second + 1),
              cluster(OTHER, LOOPBACK, second));
      assertThat(report.verdict()).isEqualTo(Verdict.FAILED);
      assertThat(outcome(report, ProxyUnderTest.NAME).sentence())
          .contains("port " + (second + 1), "bootstrap of gateway", "virtual cluster " + OTHER);
    }
  }

  private static ProxyUnderTest running(VirtualClusterSpec... clusters) {
    var proxy = ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(clusters));
    for (var cluster : clusters) {
      proxy.awaitState(cluster.name(), Serving.class);
    }
    return proxy;
  }

  private VirtualClusterSpec cluster(String name, String bindAddress, int port) {
    var gateway =
        new GatewaySpec(
            "local",
            Optional.of(bindAddress),
            new Endpoint(LOOPBACK, port),
            port + 1,
            List.of(new NodeIdRange("all", 1, ProxyUnderTest.NODES)),
            LOOPBACK);
    return new VirtualClusterSpec(
        name,
        Duration.ofSeconds(10),
        List.of(broker.endpoint()),
        List.of(gateway),
        LimitsSpec.DEFAULT);
  }

  private static void reload(ProxyUnderTest proxy, VirtualClusterSpec... clusters) {
    var report = ask(proxy, clusters);
    assertThat(report.verdict()).as("%s", report).isEqualTo(Verdict.APPLIED);
  }

  private static ReloadReport ask(ProxyUnderTest proxy, VirtualClusterSpec... clusters) {
    return Asked.of(
        proxy.proxy().reload(new ReloadRequest(Arrays.asList(clusters), ReloadPolicy.DEFAULT)));
  }

  private static ClusterOutcome outcome(ReloadReport report, String name) {
    return report.clusters().stream()
        .filter(cluster -> cluster.change().name().equals(name))
        .findFirst()
        .flatMap(ReloadReport.ClusterReport::outcome)
        .orElseThrow();
  }

  private static void assertServedAt(String address, int port) throws IOException {
    try (var client = Peer.connect(new Endpoint(address, port))) {
      client.write(Frames.heartbeat(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  /** Somebody arrives all the time. */
  private static final class Arrivals {

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final Thread thread;

    Arrivals(ProxyUnderTest proxy) {
      var at = proxy.bootstrap();
      thread = Thread.ofPlatform().name("arrivals").start(() -> arriveAt(at));
    }

    private void arriveAt(Endpoint at) {
      try {
        while (!over.get()) {
          assertServedAt(at.host(), at.port());
        }
      } catch (IOException e) {
        failure.set(e);
      }
    }

    IOException end() throws InterruptedException {
      over.set(true);
      thread.join();
      return failure.get();
    }
  }
}
