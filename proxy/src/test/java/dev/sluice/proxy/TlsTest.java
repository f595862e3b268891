package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.FreePorts;
import dev.sluice.embedded.Issued;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.Step;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.tls.TlsSpec;
import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS on either side, byte by byte; claims about Kafka's own clients are made on real brokers. */
class TlsTest {

  private static final int LARGE = 6 * 1024 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path folder;
  private static TlsUnderTest tls;
  private static Issued first;
  private static Issued second;

  @BeforeAll
  static void issue() {
    tls = new TlsUnderTest(folder);
    first = tls.issue("first");
    second = tls.issue("second");
  }

  @Test
  void a_client_speaks_tls_and_its_broker_does_not_notice() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showing(first));
        var client = new Peer(tls.client(proxy.bootstrap()))) {
      client.write(Frames.heartbeat(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  @Test
  void answers_come_after_a_client_has_said_its_end_and_then_that_of_the_proxy() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showing(first));
        var client = new Peer(tls.client(proxy.bootstrap()))) {
      client.write(Frames.heartbeat(1)).write(Frames.heartbeat(2)).halfClose();

      assertThat(client.readToEnd())
          .isEqualTo(
              Frames.joined(
                  Frames.echoed(Frames.heartbeat(1)), Frames.echoed(Frames.heartbeat(2))));
    }
  }

  @Test
  void large_frames_pass_both_ways_past_a_slow_reader() throws Exception {
    var request = Frames.heartbeat(1, 30_000);
    var answer = Frames.answer(1, LARGE);
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.write(answer);
                  client.readToEnd();
                });
        var proxy = inFrontOf(broker, tls.showing(first));
        var client = new Peer(tls.client(proxy.bootstrap()))) {
      client.write(request);
      for (int at = 0; at < answer.length; at += 64 * 1024) {
        int bytes = Math.min(64 * 1024, answer.length - at);
        assertThat(client.read(bytes)).hasSize(bytes);
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void what_is_no_tls_is_told_so_and_never_shown() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showing(first));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      readUntilGone(client);
      client.leave();

      proxy.awaitDisconnect(DisconnectCause.TLS_FAILED);
      assertThat(proxy.log().aboutConnections())
          .singleElement()
          .asString()
          .contains("expected a TLS handshake, found other bytes")
          .doesNotContain("612d636c69656e74"); // The client's id, as Netty would show it.
    }
  }

  @Test
  void who_does_not_come_to_the_end_of_a_handshake_is_left() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showing(first), Duration.ofMillis(300));
        var client = proxy.connect()) {
      client.write(new byte[] {22, 3, 1, 2, 0, 1}); // The beginning of a ClientHello.
      readUntilGone(client);
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.TLS_FAILED);
      assertThat(proxy.reached(Limit.TLS_HANDSHAKE)).isEqualTo(1);
    }
  }

  @Test
  void who_leaves_in_the_middle_of_a_handshake_leaves_nothing() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showing(first))) {
      try (var client = proxy.connect()) {
        client.write(new byte[] {22, 3, 1, 2, 0, 1}); // The beginning of a ClientHello.
        client.halfClose();
        client.readToEnd();
      }
      proxy.awaitQuiet();
      assertThat(proxy.log().aboutConnections()).isEmpty();
    }
  }

  @Test
  void a_client_without_a_certificate_is_refused_where_one_is_required() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showingAndAsking(first, ClientAuth.REQUIRED));
        var client = new Peer(tls.client(proxy.bootstrap()))) {
      assertThatThrownBy(
              () -> {
                client.write(Frames.heartbeat(1));
                client.frame();
              })
          .isInstanceOf(IOException.class);
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.TLS_FAILED);
    }
  }

  @Test
  void a_client_without_a_certificate_is_served_where_one_is_only_requested() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showingAndAsking(first, ClientAuth.REQUESTED));
        var client = new Peer(tls.client(proxy.bootstrap()))) {
      client.write(Frames.heartbeat(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  // ---- brokers -------------------------------------------------------------------------------

  @Test
  void a_broker_that_shows_a_certificate_for_its_name_is_spoken_with() throws Exception {
    try (var broker = speaking(tls.listening(first));
        var proxy = towards(broker, tls.trusting());
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1)).write(Frames.produce(2, 0, 10)).halfClose();
      assertThat(client.readToEnd()).startsWith(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  @Test
  void a_broker_that_shows_a_certificate_for_another_name_is_not() throws Exception {
    try (var broker = speaking(tls.listening(tls.issueForNobody("nobody")));
        var proxy = towards(broker, tls.trusting());
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();

      proxy.awaitDisconnect(DisconnectCause.UPSTREAM_UNREACHABLE);
      assertThat(proxy.log().aboutConnections())
          .singleElement()
          .asString()
          .contains("127.0.0.1", "the TLS handshake failed");
    }
  }

  // ---- reload --------------------------------------------------------------------------------

  @Test
  void another_certificate_is_shown_to_who_comes_and_who_is_here_stays() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = inFrontOf(broker, tls.showing(first));
        var socket = tls.client(proxy.bootstrap());
        var client = new Peer(socket)) {
      client.write(Frames.heartbeat(1));
      client.frame();
      var step = Asked.switched(proxy, speaking(proxy, tls.showing(second)), Way.IN_PLACE);
      assertThat(step).isNotInstanceOf(Step.Refused.class);
      Asked.untilSettled(proxy);

      client.write(Frames.heartbeat(2));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      assertThat(shown(socket)).isEqualTo(first.chain().getFirst());
      try (var later = tls.client(proxy.bootstrap())) {
        assertThat(shown(later)).isEqualTo(second.chain().getFirst());
      }
    }
  }

  @Test
  void a_trust_in_others_than_the_brokers_is_no_reason_to_leave_what_serves() throws Exception {
    var elsewhere = new TlsUnderTest(Files.createDirectory(folder.resolve("else")));
    try (var broker = speaking(tls.listening(first));
        var proxy = towards(broker, tls.trusting());
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      var now = proxy.view().spec();
      var wrong = now.withUpstream(now.bootstrapServers(), Optional.of(elsewhere.trusting()));
      var accepted = Asked.of(proxy.proxy().reconfiguration().accept(wrong));
      var life = Asked.untilPrepared(proxy, accepted.generation());

      assertThat(life.lastFailure().orElseThrow().cause()).contains("tls", "handshake failed");
      assertThat(life.state()).isInstanceOf(Serving.class);
      client.write(Frames.heartbeat(2));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
    }
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private static ProxyUnderTest inFrontOf(StubBroker broker, TlsSpec shown) {
    var plain = plain(broker.endpoint());
    return start(
        plain.withGateways(List.of(plain.gateways().getFirst().withTls(Optional.of(shown)))));
  }

  /** The same, with a limit on handshakes. */
  private static ProxyUnderTest inFrontOf(StubBroker broker, TlsSpec shown, Duration limit) {
    var plain = plain(broker.endpoint());
    var cluster =
        plain.withGateways(List.of(plain.gateways().getFirst().withTls(Optional.of(shown))));
    var proxy =
        ProxyUnderTest.start(Wishes.handshake(limit), FailurePolicy.DEFAULT, List.of(cluster));
    proxy.awaitState(cluster.name(), Serving.class);
    return proxy;
  }

  private static ProxyUnderTest towards(StubBroker broker, TlsSpec trusted) {
    var plain = plain(broker.endpoint());
    return start(plain.withUpstream(plain.bootstrapServers(), Optional.of(trusted)));
  }

  private static VirtualClusterSpec plain(Endpoint broker) {
    return ProxyUnderTest.cluster(
        ProxyUnderTest.NAME, broker, FreePorts.inARow(ProxyUnderTest.NODES + 1));
  }

  private static ProxyUnderTest start(VirtualClusterSpec cluster) {
    var proxy = ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(cluster));
    proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
    return proxy;
  }

  private static VirtualClusterSpec speaking(ProxyUnderTest proxy, TlsSpec shown) {
    var now = proxy.view().spec();
    return now.withGateways(List.of(now.gateways().getFirst().withTls(Optional.of(shown))));
  }

  private static StubBroker speaking(ServerSocket socket) {
    return new StubBroker(socket, StubBroker::echo, _ -> {});
  }

  private static Certificate shown(SSLSocket socket) throws SSLException {
    return socket.getSession().getPeerCertificates()[0];
  }

  /** To its end, or until it is reset: bytes that nobody wants are left unread. */
  private static void readUntilGone(Peer client) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                return client.read() < 0;
              } catch (IOException e) {
                return true;
              }
            });
  }
}
