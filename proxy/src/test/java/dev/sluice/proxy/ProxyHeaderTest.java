package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.FreePorts;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that a load balancer makes for others, and says for whom. */
class ProxyHeaderTest {

  private static final byte[] NO_KAFKA =
      "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VERSION_1 =
      "PROXY TCP4 192.0.2.7 192.0.2.1 5555 443\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Of 2001:db8::7, port 5555. */
  private static final byte[] VERSION_2 =
      HexFormat.of()
          .parseHex(
              "0d0a0d0a000d0a515549540a" // Signature.
                  + "2121" // Version 2, PROXY; TCP over IPv6.
                  + "0024" // So many bytes follow.
                  + "20010db8000000000000000000000007"
                  + "20010db8000000000000000000000001"
                  + "15b3"
                  + "01bb");

  /** A health check of the load balancer's own. */
  private static final byte[] LOCAL =
      HexFormat.of().parseHex("0d0a0d0a000d0a515549540a" + "2000" + "0000");

  @Test
  void version_1_and_2_say_whom_a_connection_is_for() throws Exception {
    assertThat(saidOf(ProxyProtocol.REQUIRED, VERSION_1, NO_KAFKA)).contains("192.0.2.7:5555");
    assertThat(saidOf(ProxyProtocol.ALLOWED, VERSION_2, NO_KAFKA)).contains("2001:db8:0:0:0:0:0:7");
  }

  @Test
  void a_connection_of_the_balancers_own_is_for_itself() throws Exception {
    assertThat(saidOf(ProxyProtocol.REQUIRED, LOCAL, NO_KAFKA)).contains("127.0.0.1");
  }

  @Test
  void who_sends_none_is_closed_where_it_is_required() throws Exception {
    assertThat(saidOf(ProxyProtocol.REQUIRED, NO_KAFKA))
        .contains("expected a header of the PROXY protocol", "required");
  }

  @Test
  void who_sends_a_broken_one_is_closed() throws Exception {
    assertThat(
            saidOf(
                ProxyProtocol.REQUIRED,
                "PROXY TCP4 nobody 192.0.2.1 1 2\r\n".getBytes(StandardCharsets.US_ASCII)))
        .contains("expected a header of the PROXY protocol, found a broken one");
  }

  @Test
  void who_sends_none_is_served_where_it_is_allowed() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(broker, ProxyProtocol.ALLOWED);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  @Test
  void what_follows_a_header_is_served_however_it_is_cut() throws Exception {
    var all = Frames.joined(VERSION_2, Frames.heartbeat(1));
    try (var broker = StubBroker.echo();
        var proxy = start(broker, ProxyProtocol.REQUIRED)) {
      for (int cut = 1; cut < all.length; cut += 7) {
        try (var client = proxy.connect()) {
          client.write(all, 0, cut);
          client.write(all, cut, all.length);
          assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
        }
      }
    }
  }

  /** The one line about a connection that sends this. */
  private static String saidOf(ProxyProtocol mode, byte[]... sent) throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = start(broker, mode);
        var client = proxy.connect()) {
      client.write(Frames.joined(sent));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.BAD_REQUEST);
      return String.join("; ", proxy.log().aboutConnections());
    }
  }

  private static ProxyUnderTest start(StubBroker broker, ProxyProtocol mode) {
    var plain =
        ProxyUnderTest.cluster(
            ProxyUnderTest.NAME, broker.endpoint(), FreePorts.inARow(ProxyUnderTest.NODES + 1));
    var gateway = plain.gateways().getFirst();
    var cluster =
        plain.withGateways(
            List.of(
                new GatewaySpec(
                    gateway.name(),
                    gateway.bindAddress(),
                    gateway.bootstrapAddress(),
                    gateway.nodes(),
                    gateway.advertisedBrokerAddressPattern(),
                    gateway.tls(),
                    mode)));
    var proxy = ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(cluster));
    proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
    return proxy;
  }
}
