package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** Another generation takes over, and clients keep their connections. */
class SwitchTest {

  private static final int FETCH_VERSION = 12;
  private static final int SHARE_VERSION = 1;

  @Test
  void a_client_keeps_its_connection_and_is_served_by_another_broker() throws Exception {
    try (var first = StubBroker.echo();
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      switchTo(proxy, second);
      assertThatServes(client, 2);
      assertThat(first.served()).isEqualTo(1);
      assertThat(second.served()).isEqualTo(1);
      var report = Asked.lastDrain(proxy);
      assertThat(report.counted().count(Outcome.SWITCHED)).isEqualTo(1);
      assertThat(proxy.view().connections()).isEqualTo(1);
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.CLIENT_CLOSED);
    }
  }

  @Test
  void the_upstream_connection_stays_where_brokers_are_reached_as_before() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      switchTo(proxy, broker);
      assertThatServes(client, 2);
      assertThat(broker.served()).isEqualTo(1);
      client.leave();
    }
  }

  @Test
  void what_is_in_flight_is_answered_by_who_was_asked_and_what_comes_then_by_the_next()
      throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var first =
            new StubBroker(
                client -> {
                  var asked = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(asked));
                  assertThat(client.readToEnd()).isEmpty();
                });
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(first::served, served -> served == 1);
      Asked.switched(proxy, behind(proxy, second), Way.IN_PLACE);
      awaitStill(proxy);
      client.write(Frames.heartbeat(2));
      mayAnswer.countDown();
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      Asked.untilSettled(proxy);
      assertThat(first.failure()).isNull();
      client.leave();
    }
  }

  @Test
  void a_long_poll_is_answered_early_and_its_late_answer_is_not_heard() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    try (var first =
            new StubBroker(
                client -> {
                  client.write(Frames.echoed(client.frame()));
                  var poll = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(poll));
                  client.readToEnd();
                });
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      client.write(poll(2));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      switchTo(proxy, second); // Its broker does not answer until it may.
      assertThat(Asked.lastDrain(proxy).counted().count(Outcome.SWITCHED)).isEqualTo(1);
      assertThat(Frames.correlationIdOfResponse(client.frame())).isEqualTo(2);
      mayAnswer.countDown();
      assertThatServes(client, 3);
      client.leave();
    }
  }

  @Test
  void a_long_poll_makes_the_upstream_connection_anew_though_the_broker_is_the_same()
      throws Exception {
    var connections = new AtomicInteger();
    try (var broker =
            new StubBroker(
                client -> {
                  if (connections.incrementAndGet() == 1) {
                    client.write(Frames.echoed(client.frame()));
                    client.frame();
                    client.readToEnd();
                  } else {
                    StubBroker.echo(client);
                  }
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      client.write(poll(2));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      switchTo(proxy, broker);
      assertThat(Frames.correlationIdOfResponse(client.frame())).isEqualTo(2);
      assertThatServes(client, 3);
      assertThat(broker.served()).isEqualTo(2);
      client.leave();
    }
  }

  @Test
  void a_request_that_is_half_way_is_finished_on_the_former_connection() throws Exception {
    var request = Frames.heartbeat(2, 20_000);
    try (var first = StubBroker.echo();
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      client.write(request, 0, 10_000);
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      Asked.switched(proxy, behind(proxy, second), Way.IN_PLACE);
      awaitStill(proxy);
      client.write(request, 10_000, request.length);
      assertThat(client.frame()).isEqualTo(Frames.echoed(request));
      Asked.untilSettled(proxy);
      assertThatServes(client, 3);
      client.leave();
    }
  }

  @Test
  void a_header_that_is_cut_in_two_is_kept_over_the_switch() throws Exception {
    var request = Frames.heartbeat(2);
    try (var first = StubBroker.echo();
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      client.write(request, 0, 7);
      await().during(Duration.ofMillis(50)).until(() -> true);
      switchTo(proxy, second);
      client.write(request, 7, request.length);
      assertThat(client.frame()).isEqualTo(Frames.echoed(request));
      client.leave();
    }
  }

  @Test
  void one_way_requests_all_reach_one_broker_or_the_other() throws Exception {
    int count = 2_000;
    var received = new AtomicInteger();
    StubBroker.Script counting =
        client -> {
          while (client.tryFrame().isPresent()) {
            received.incrementAndGet();
          }
        };
    try (var first = new StubBroker(counting);
        var second = new StubBroker(counting);
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      var writer = Thread.ofVirtual().start(() -> writeOneWays(client, count));
      await().until(received::get, some -> some > 100);
      switchTo(proxy, second);
      writer.join();
      await().untilAsserted(() -> assertThat(received).hasValue(count));
      client.leave();
    }
  }

  @Test
  void no_request_overtakes_a_one_way_request_that_the_former_broker_has_still_to_read()
      throws Exception {
    var mayRead = new CountDownLatch(1);
    try (var first =
            new StubBroker(
                client -> {
                  client.write(Frames.echoed(client.frame()));
                  mayRead.await();
                  client.readToEnd();
                });
        var asked = new StubBroker(StubBroker::echo);
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      client.write(Frames.produce(2, 0, 1_000));
      await().until(() -> proxy.value("sluice.request.bytes"), bytes -> bytes > 1_000);
      Asked.switched(proxy, behind(proxy, asked), Way.IN_PLACE);
      awaitStill(proxy);
      client.write(Frames.heartbeat(3));
      assertThat(asked.served()).isZero();
      mayRead.countDown();
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(3)));
      Asked.untilSettled(proxy);
      assertThat(asked.served()).isEqualTo(1);
      client.leave();
    }
  }

  private static void writeOneWays(Peer client, int count) {
    try {
      for (int i = 0; i < count; i++) {
        client.write(Frames.produce(i, 0, 20_000));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void a_connection_that_has_acknowledged_shared_records_keeps_its_broker_and_is_not_waited_for()
      throws Exception {
    try (var first = new StubBroker(SwitchTest::sharing);
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      acknowledge(client);
      switchTo(proxy, second);
      assertThatServes(client, 2);
      assertThat(first.served()).isEqualTo(1);
      assertThat(second.served()).isZero();
      var report = Asked.lastDrain(proxy);
      assertThat(report.counted().count(Outcome.SWITCHED)).isEqualTo(1);
      assertThat(proxy.view().connections()).isEqualTo(1);
      client.leave();
    }
  }

  @Test
  void it_is_switched_all_the_same_where_the_upstream_connection_stays() throws Exception {
    try (var broker = new StubBroker(SwitchTest::sharing);
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      acknowledge(client);
      switchTo(proxy, broker);
      assertThatServes(client, 2);
      assertThat(broker.served()).isEqualTo(1);
      client.leave();
    }
  }

  @Test
  void a_connection_on_which_a_group_is_waited_for_is_switched_when_that_is_answered()
      throws Exception {
    var join = Frames.request(ApiKeys.JOIN_GROUP, 5, 2, new JoinGroupRequestData());
    var mayAnswer = new CountDownLatch(1);
    try (var first =
            new StubBroker(
                client -> {
                  client.write(Frames.echoed(client.frame()));
                  var asked = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(asked));
                  client.readToEnd();
                });
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      client.write(join);
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      Asked.switched(proxy, behind(proxy, second), Way.IN_PLACE);
      await().during(Duration.ofMillis(200)).until(() -> proxy.view().drain().isPresent());
      mayAnswer.countDown();
      assertThat(client.frame()).isEqualTo(Frames.echoed(join));
      Asked.untilSettled(proxy);
      assertThatServes(client, 3);
      client.leave();
    }
  }

  @Test
  void the_bounds_of_the_new_generation_hold() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      assertThatServes(client, 1);
      var spec = proxy.view().spec();
      Asked.switched(
          proxy,
          new VirtualClusterSpec(
              spec.name(),
              spec.drain(),
              spec.bootstrapServers(),
              spec.gateways(),
              new LimitsSpec(1_000, 10, 10)),
          Way.IN_PLACE);
      Asked.untilSettled(proxy);
      client.write(Frames.heartbeat(2, 2_000));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.BAD_REQUEST);
    }
  }

  @Test
  void a_hundred_switches_under_load_answer_everything_once_and_leave_nothing() throws Exception {
    try (var first = StubBroker.echo();
        var second = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(first);
        var client = proxy.connect()) {
      int id = 0;
      for (int i = 0; i < 100; i++) {
        Asked.switched(proxy, behind(proxy, i % 2 == 0 ? second : first), Way.IN_PLACE);
        do {
          assertThatServes(client, ++id);
        } while (proxy.view().life().state().isUnderReload());
      }
      assertThat(proxy.view().connections()).isEqualTo(1);
      client.leave();
    }
  }

  // ---- in the words of these tests -----------------------------------------------------------

  static void acknowledge(Peer client) throws IOException {
    client.write(
        Frames.request(
            ApiKeys.SHARE_ACKNOWLEDGE, SHARE_VERSION, 1, new ShareAcknowledgeRequestData()));
    client.frame();
  }

  static void sharing(Peer client) throws IOException {
    client.frame();
    client.write(
        Frames.response(
            ApiKeys.SHARE_ACKNOWLEDGE, SHARE_VERSION, 1, new ShareAcknowledgeResponseData()));
    StubBroker.echo(client);
  }

  /** The former generation waits for what is in flight. */
  private static void awaitStill(ProxyUnderTest proxy) {
    await().during(Duration.ofMillis(100)).until(() -> proxy.view().drain().isPresent());
  }

  private static void switchTo(ProxyUnderTest proxy, StubBroker broker) {
    Asked.switched(proxy, behind(proxy, broker), Way.IN_PLACE);
    Asked.untilSettled(proxy);
  }

  static VirtualClusterSpec behind(ProxyUnderTest proxy, StubBroker broker) {
    return behind(proxy, broker.endpoint());
  }

  static VirtualClusterSpec behind(ProxyUnderTest proxy, Endpoint broker) {
    var spec = proxy.view().spec();
    return new VirtualClusterSpec(
        spec.name(), spec.drain(), List.of(broker), spec.gateways(), spec.limits());
  }

  private static byte[] poll(int correlationId) {
    return Frames.request(
        ApiKeys.FETCH, FETCH_VERSION, correlationId, new FetchRequestData().setMaxWaitMs(30_000));
  }

  static void assertThatServes(Peer client, int correlationId) throws IOException {
    var request = Frames.heartbeat(correlationId);
    client.write(request);
    assertThat(client.frame()).isEqualTo(Frames.echoed(request));
  }
}
