package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.sluice.embedded.FreePorts;
import dev.sluice.embedded.Issued;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec.Nodes;
import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import dev.sluice.proxy.ReloadReport.Verdict;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Virtual clusters on one port, told apart by the host names that clients ask for. */
class SharedPortTest {

  private static final String ONE = ProxyUnderTest.NAME;
  private static final String TWO = "two";

  @TempDir private static Path folder;
  private static TlsUnderTest tls;
  private static Issued shown;

  private final int port = FreePorts.inARow(1);
  private final Endpoint at = new Endpoint("127.0.0.1", port);

  @BeforeAll
  static void issue() {
    tls = new TlsUnderTest(folder);
    shown = tls.issue("shared", "one.example", "two.example");
  }

  @Test
  void a_client_is_led_to_the_cluster_whose_name_it_asks_for() throws Exception {
    try (var broker = StubBroker.echo();
        var silent = new StubBroker(client -> client.write(Frames.answer(1, 3)).readToEnd());
        var proxy = start(cluster(ONE, broker), cluster(TWO, silent));
        var one = new Peer(tls.client(at, "ONE.example"));
        var two = new Peer(tls.client(at, "broker-7.two.example"))) {
      one.write(Frames.heartbeat(1));
      assertThat(one.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      two.write(Frames.heartbeat(1));
      assertThat(two.frame()).isEqualTo(Frames.answer(1, 3));
      assertThat(proxy.proxy().virtualCluster(TWO).orElseThrow().connections()).isEqualTo(1);
    }
  }

  @Test
  void who_asks_for_nobody_gets_an_alert_and_the_log_names_those_that_are_known() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(cluster(ONE, broker), cluster(TWO, broker));
        var stranger = tls.client(at, "three.example")) {
      assertThatThrownBy(stranger::startHandshake)
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("unrecognized_name");
      assertThat(proxy.log().atLeast(Level.WARN))
          .singleElement()
          .asString()
          .contains("'three.example'", "one.example, broker-$(nodeId).one.example", "two.example");
      assertThat(proxy.unled(Unled.UNKNOWN_HOST)).isEqualTo(1);
      assertThat(proxy.unled(Unled.NOBODY_THERE)).isZero();
    }
  }

  @Test
  void who_does_not_say_in_time_for_whom_it_came_is_left_and_counted() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.start(
                Wishes.handshake(Duration.ofMillis(300)),
                FailurePolicy.DEFAULT,
                List.of(cluster(ONE, broker)))) {
      proxy.awaitState(ONE, Serving.class);
      try (var client = Peer.connect(at)) {
        client.write(new byte[] {22, 3, 1, 2, 0, 1}); // The beginning of a ClientHello.
        assertThat(client.readToEnd()).isEmpty();
      }
      assertThat(proxy.unled(Unled.TOO_SLOW)).isEqualTo(1);
      assertThat(proxy.log().aboutConnections())
          .singleElement()
          .asString()
          .contains("tlsHandshakeTimeout of 300 ms");
    }
  }

  @Test
  void who_asks_for_a_cluster_that_is_stopped_is_just_left() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(cluster(ONE, broker), cluster(TWO, broker))) {
      Asked.of(proxy.proxy().drain(TWO));
      proxy.awaitState(TWO, Stopped.class);
      try (var client = tls.client(at, "two.example")) {
        assertThatThrownBy(client::startHandshake)
            .satisfiesAnyOf(
                failure -> assertThat(failure).isInstanceOf(EOFException.class),
                failure -> assertThat(failure).hasRootCauseInstanceOf(EOFException.class));
        assertThat(proxy.unled(Unled.NOBODY_THERE)).isEqualTo(1);
      }
    }
  }

  @Test
  void a_cluster_joins_and_leaves_a_port_that_another_one_stays_at() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(cluster(ONE, broker));
        var one = new Peer(tls.client(at, "one.example"))) {
      one.write(Frames.heartbeat(1));
      one.frame();
      reload(proxy, cluster(ONE, broker), cluster(TWO, broker));
      try (var two = new Peer(tls.client(at, "two.example"))) {
        two.write(Frames.heartbeat(2));
        assertThat(two.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      }
      reload(proxy, cluster(ONE, broker));

      one.write(Frames.heartbeat(3));
      assertThat(one.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(3)));
    }
  }

  @Test
  void the_new_name_of_a_cluster_keeps_its_host_names() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(cluster(ONE, broker))) {
      var now = proxy.view().spec();
      var renamed =
          new VirtualClusterSpec(
              TWO, now.drain(), now.bootstrapServers(), now.gateways(), now.limits());
      reload(proxy, renamed);
      try (var client = new Peer(tls.client(at, "one.example"))) {
        client.write(Frames.heartbeat(1));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      }
      reload(proxy, now);
    }
  }

  @Test
  void a_name_that_was_left_leads_there_on_until_another_cluster_has_it() throws Exception {
    try (var broker = StubBroker.echo();
        var silent = new StubBroker(client -> client.write(Frames.answer(1, 3)));
        var proxy = start(cluster(ONE, broker))) {
      var moved = cluster(ONE, broker).withGateways(cluster(TWO, broker).gateways());
      reload(proxy, moved);
      assertThat(answerTo("one.example")).isEqualTo(Frames.echoed(Frames.heartbeat(1)));

      reload(proxy, moved, cluster(TWO, silent).withGateways(cluster(ONE, silent).gateways()));
      assertThat(answerTo("one.example")).isEqualTo(Frames.answer(1, 3));
      assertThat(answerTo("two.example")).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  private byte[] answerTo(String name) throws Exception {
    try (var client = new Peer(tls.client(at, name))) {
      client.write(Frames.heartbeat(1));
      return client.frame();
    }
  }

  @Test
  void a_port_that_another_cluster_listens_on_names_both() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(cluster(ONE, broker))) {
      var alone = ProxyUnderTest.cluster(TWO, broker.endpoint(), port);
      var report = Asked.of(proxy.proxy().reload(request(proxy.view().spec(), alone)));

      assertThat(report.verdict()).isEqualTo(Verdict.FAILED);
      assertThat(report.clusters().getLast().outcome().orElseThrow().sentence())
          .contains("port " + port + " (bootstrap of gateway local) taken by virtual cluster one");
    }
  }

  @Test
  void what_speaks_no_tls_is_closed_with_a_line() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(cluster(ONE, broker));
        var client = Peer.connect(at)) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd()).isEmpty();
      await().until(() -> proxy.log().aboutConnections(), lines -> lines.size() == 1);
      assertThat(proxy.log().aboutConnections().getFirst()).contains("expected a TLS handshake");
      assertThat(proxy.unled(Unled.BAD_HANDSHAKE)).isEqualTo(1);
    }
  }

  // ---- the PROXY protocol --------------------------------------------------------------------

  @Test
  void a_header_before_the_handshake_says_whom_a_client_of_a_shared_port_is_for() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(behindBalancer(cluster(ONE, broker), ProxyProtocol.REQUIRED));
        var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write("PROXY TCP4 192.0.2.7 192.0.2.1 5555 443\r\n".getBytes(StandardCharsets.US_ASCII));
      try (var client = new Peer(tls.wrap(socket, at, "one.example"))) {
        client.write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        client.readToEnd();

        assertThat(proxy.log().aboutConnections()).singleElement().asString().contains("192.0.2.7");
      }
    }
  }

  @Test
  void a_missing_header_is_counted_as_what_it_is() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(behindBalancer(cluster(ONE, broker), ProxyProtocol.REQUIRED));
        var client = tls.client(at, "one.example")) {
      assertThatThrownBy(client::startHandshake).isInstanceOf(IOException.class);
      assertThat(proxy.unled(Unled.BAD_PROXY_HEADER)).isEqualTo(1);
    }
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private VirtualClusterSpec cluster(String name, StubBroker broker) {
    return ProxyUnderTest.cluster(name, broker.endpoint(), 1)
        .withGateways(
            List.of(
                new GatewaySpec(
                    "shared",
                    Optional.of("127.0.0.1"),
                    new Endpoint(name + ".example", port),
                    new Nodes.ByHostName(port),
                    "broker-$(nodeId)." + name + ".example",
                    Optional.of(tls.showing(shown)),
                    ProxyProtocol.DISABLED)));
  }

  private static VirtualClusterSpec behindBalancer(VirtualClusterSpec cluster, ProxyProtocol mode) {
    var gateway = cluster.gateways().getFirst();
    return cluster.withGateways(
        List.of(
            new GatewaySpec(
                gateway.name(),
                gateway.bindAddress(),
                gateway.bootstrapAddress(),
                gateway.nodes(),
                gateway.advertisedBrokerAddressPattern(),
                gateway.tls(),
                mode)));
  }

  private static ProxyUnderTest start(VirtualClusterSpec... clusters) {
    var proxy = ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(clusters));
    for (var cluster : clusters) {
      proxy.awaitState(cluster.name(), Serving.class);
    }
    return proxy;
  }

  private static void reload(ProxyUnderTest proxy, VirtualClusterSpec... clusters) {
    var report = Asked.of(proxy.proxy().reload(request(clusters)));
    assertThat(report.verdict()).isEqualTo(Verdict.APPLIED);
  }

  private static ReloadRequest request(VirtualClusterSpec... clusters) {
    return new ReloadRequest(List.of(clusters), ReloadPolicy.DEFAULT);
  }
}
