package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.protocol.BrokerQuestion;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.ReloadReport.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A virtual cluster has moved to other ports, and clients come that know only the old ones. */
class LingeringTest {

  private static final String ONE = ProxyUnderTest.NAME;
  private static final String TWO = "two";
  private static final int EACH = ProxyUnderTest.NODES + 1;

  private final int first = FreePorts.inARow(3 * EACH);
  private final int second = first + EACH;
  private final int third = second + EACH;

  private final StubBroker node = StubBroker.echo();
  private final StubBroker anyNode =
      new StubBroker(
          StubBroker::echo,
          asking ->
              asking.write(
                  Frames.response(ApiKeys.METADATA, BrokerQuestion.VERSION, 0, nodeTwo())));

  @AfterEach
  void end() throws Exception {
    anyNode.close();
    node.close();
  }

  // ---- who is served there -------------------------------------------------------------------

  @Test
  void an_old_port_of_a_node_leads_to_this_node_after_any_number_of_moves() throws Exception {
    try (var proxy = running(cluster(ONE, first))) {
      reload(proxy, cluster(ONE, second));
      reload(proxy, cluster(ONE, third));
      for (int port : List.of(first + 2, second + 2, third + 2)) {
        ProxyUnderTest.assertEchoedAt(at(port));
      }
      assertThat(node.served()).isEqualTo(3);
      assertThat(anyNode.served()).isZero();
    }
  }

  @Test
  void an_old_port_of_a_node_that_is_gone_leads_to_any_node() throws Exception {
    try (var proxy = running(cluster(ONE, first))) {
      reload(proxy, cluster(ONE, "local", second, 1));
      ProxyUnderTest.assertEchoedAt(at(first + 2));
      assertThat(node.served()).isZero();
      assertThat(anyNode.served()).isEqualTo(1);
    }
  }

  @Test
  void ports_that_are_gone_back_to_serve_on_and_the_others_linger() throws Exception {
    try (var proxy = running(cluster(ONE, first))) {
      for (int time = 0; time < 3; time++) {
        reload(proxy, cluster(ONE, second));
        assertThat(proxy.view().lingeringPorts()).containsOnlyKeys(first, first + 1, first + 2);
        reload(proxy, cluster(ONE, first));
        assertThat(proxy.view().lingeringPorts()).containsOnlyKeys(second, second + 1, second + 2);
      }
      ProxyUnderTest.assertEchoedAt(at(second));
    }
  }

  @Test
  void what_cannot_be_prepared_at_an_old_port_leaves_it_as_it_was() throws Exception {
    try (var proxy = running(cluster(ONE, first));
        var _ = ProxyUnderTest.occupy(third)) {
      reload(proxy, cluster(ONE, second));
      var before = proxy.view().lingeringPorts();
      // It wants old ports and a taken one.
      assertThat(ask(proxy, cluster(ONE, "local", third - 2, EACH)).verdict())
          .isEqualTo(Verdict.FAILED);
      assertThat(ask(proxy, cluster(ONE, "local", first, 2 * EACH)).verdict())
          .isEqualTo(Verdict.FAILED);
      assertThat(proxy.view().lingeringPorts()).isEqualTo(before);
      ProxyUnderTest.assertEchoedAt(at(first));
      ProxyUnderTest.assertEchoedAt(at(second));
    }
  }

  // ---- until when ----------------------------------------------------------------------------

  @Test
  void another_cluster_that_wants_an_old_port_gets_it() throws Exception {
    try (var silent = new StubBroker(client -> client.write(Frames.answer(1, 3)));
        var proxy = running(cluster(ONE, first))) {
      reload(proxy, cluster(ONE, third));
      // One port of those that linger, and two that are free.
      reload(proxy, cluster(ONE, third), cluster(TWO, first + 2, silent));
      try (var client = Peer.connect(at(first + 2))) {
        client.write(Frames.heartbeat(1));
        assertThat(client.frame()).isEqualTo(Frames.answer(1, 3));
      }
      assertThat(proxy.view().lingeringPorts()).containsOnlyKeys(first, first + 1);
      ProxyUnderTest.assertEchoedAt(at(first));
    }
  }

  @Test
  void another_cluster_that_failed_for_a_port_gets_it_when_it_is_only_lingered_at()
      throws Exception {
    try (var proxy = running(cluster(ONE, first))) {
      assertThat(ask(proxy, cluster(ONE, first), cluster(TWO, first)).verdict())
          .isEqualTo(Verdict.FAILED);
      reload(proxy, cluster(ONE, second));
      reload(proxy, cluster(ONE, second), cluster(TWO, first));
      assertThat(proxy.view().lingeringPorts()).isEmpty();
      ProxyUnderTest.assertEchoedAt(at(first));
    }
  }

  @Test
  void a_gateway_that_is_taken_away_is_closed_at_once() throws Exception {
    try (var proxy = running(cluster(ONE, first))) {
      reload(proxy, cluster(ONE, "another", second, ProxyUnderTest.NODES));
      assertThat(proxy.view().lingeringPorts()).isEmpty();
      await().untilAsserted(() -> ProxyUnderTest.assertRefusedAt(at(first)));
    }
  }

  @Test
  void a_removed_cluster_leaves_no_port_open() throws Exception {
    try (var proxy = running(cluster(ONE, first))) {
      reload(proxy, cluster(ONE, second));
      reload(proxy);
      for (int port = first; port < third; port++) {
        var place = at(port);
        await().untilAsserted(() -> ProxyUnderTest.assertRefusedAt(place));
      }
    }
  }

  @Test
  void a_cluster_that_a_person_drains_leaves_no_port_open() throws Exception {
    try (var proxy = running(cluster(ONE, first))) {
      reload(proxy, cluster(ONE, second));
      Asked.of(proxy.proxy().drain(ONE));
      proxy.awaitState(ONE, Stopped.class);
      for (int port = first; port < third; port++) {
        var place = at(port);
        await().untilAsserted(() -> ProxyUnderTest.assertRefusedAt(place));
      }
    }
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private static Endpoint at(int port) {
    return new Endpoint("127.0.0.1", port);
  }

  private MetadataResponseData nodeTwo() {
    var answer = new MetadataResponseData();
    answer
        .brokers()
        .add(
            new MetadataResponseBroker()
                .setNodeId(2)
                .setHost("127.0.0.1")
                .setPort(node.endpoint().port()));
    return answer;
  }

  private VirtualClusterSpec cluster(String name, int port) {
    return cluster(name, port, anyNode);
  }

  private static VirtualClusterSpec cluster(String name, int port, StubBroker broker) {
    return ProxyUnderTest.cluster(name, broker.endpoint(), port);
  }

  /** With another gateway than is usual. */
  private VirtualClusterSpec cluster(String name, String gateway, int port, int nodes) {
    var like = cluster(name, port);
    var other =
        new GatewaySpec(
            gateway,
            Optional.of("127.0.0.1"),
            at(port),
            port + 1,
            List.of(new NodeIdRange("all", 1, nodes)),
            "127.0.0.1");
    return new VirtualClusterSpec(
        name, like.drain(), like.bootstrapServers(), List.of(other), like.limits());
  }

  private static ProxyUnderTest running(VirtualClusterSpec cluster) {
    var proxy = ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(cluster));
    proxy.awaitState(ONE, Serving.class);
    return proxy;
  }

  private static void reload(ProxyUnderTest proxy, VirtualClusterSpec... clusters) {
    var report = ask(proxy, clusters);
    assertThat(report.verdict()).as("%s", report).isEqualTo(Verdict.APPLIED);
  }

  private static ReloadReport ask(ProxyUnderTest proxy, VirtualClusterSpec... clusters) {
    return Asked.of(
        proxy.proxy().reload(new ReloadRequest(Arrays.asList(clusters), ReloadPolicy.DEFAULT)));
  }
}
