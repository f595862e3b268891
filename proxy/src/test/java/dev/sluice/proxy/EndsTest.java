package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Ends and resets, of either side, at every moment. */
class EndsTest {

  /** Where what is shown takes its time. */
  private static final Duration LONGER_THAN_AN_END_LINGERS =
      Duration.ofSeconds(Farewell.LINGER_SECONDS + 1);

  private static final Duration A_WHILE = Duration.ofMillis(1200);

  private static final int ONE_WAY = 300;

  @Test
  void requests_without_answers_reach_the_broker_though_the_client_leaves_at_once()
      throws Exception {
    var sent = oneWayRequests();
    var received = new CompletableFuture<byte[]>();
    try (var broker = new StubBroker(client -> received.complete(client.readToEnd()));
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      try (var client = proxy.connect()) {
        client.write(sent);
      }
      assertThat(received.get(10, TimeUnit.SECONDS)).isEqualTo(sent);
      proxy.awaitDisconnect(DisconnectCause.CLIENT_CLOSED);
    }
  }

  @Test
  void a_client_that_sends_and_leaves_while_the_broker_is_being_reached_loses_nothing()
      throws Exception {
    var sent = oneWayRequests();
    var received = new CompletableFuture<byte[]>();
    try (var dead = new DeadEnd();
        var broker = new StubBroker(client -> received.complete(client.readToEnd()));
        var proxy =
            ProxyUnderTest.inFrontOf(
                List.of(dead.endpoint(), broker.endpoint()), Wishes.connectTimeout(400))) {
      try (var client = proxy.connect()) {
        client.write(sent, 0, 5);
        client.write(sent, 5, sent.length);
      }
      assertThat(received.get(10, TimeUnit.SECONDS)).isEqualTo(sent);
    }
  }

  @Test
  void a_drain_waits_for_what_a_client_that_has_left_sent_to_a_slow_broker() throws Exception {
    var sent = Frames.joined(Frames.produce(1, 0, 30_000), bigOneWayRequest());
    var received = new CompletableFuture<byte[]>();
    var mayRead = new CountDownLatch(1);
    try (var broker =
            new StubBroker(
                client -> {
                  mayRead.await();
                  received.complete(client.readToEnd());
                });
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var client = proxy.connect();
      var writer = Thread.ofVirtual().start(() -> writeAndLeave(client, sent));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight > 0);
      var ended = proxy.proxy().stop("now").toCompletableFuture();
      await().during(Duration.ofMillis(300)).until(() -> !ended.isDone());
      mayRead.countDown();
      assertThat(received.get(10, TimeUnit.SECONDS)).isEqualTo(sent);
      writer.join();
      proxy.awaitEnded();
    }
  }

  private static void writeAndLeave(Peer client, byte[] bytes) {
    try (client) {
      client.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** More than the buffers of a kernel hold. */
  private static byte[] bigOneWayRequest() {
    var head = Frames.produce(2, 0, 0);
    var all = Arrays.copyOf(head, head.length + 12 * 1024 * 1024);
    ByteBuffer.wrap(all).putInt(all.length - Integer.BYTES);
    return all;
  }

  private static byte[] oneWayRequests() {
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < ONE_WAY; i++) {
      all.writeBytes(Frames.produce(i, 0, 500));
    }
    return all.toByteArray();
  }

  @Test
  void a_client_that_has_said_its_end_still_gets_a_late_answer() throws Exception {
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  assertThat(client.readToEnd()).isEmpty();
                  await().pollDelay(LONGER_THAN_AN_END_LINGERS).until(() -> true);
                  client.write(Frames.answer(1, 3000));
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1)).halfClose();
      assertThat(client.readToEnd()).isEqualTo(Frames.answer(1, 3000));
    }
  }

  @Test
  void more_requests_than_may_be_in_flight_are_answered_to_a_client_that_has_said_its_end()
      throws Exception {
    int requests = 50;
    var all = new ByteArrayOutputStream();
    var expected = new ByteArrayOutputStream();
    for (int i = 0; i < requests; i++) {
      all.writeBytes(Frames.heartbeat(i));
      expected.writeBytes(Frames.echoed(Frames.heartbeat(i)));
    }
    try (var dead = new DeadEnd();
        var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.inFrontOf(
                List.of(dead.endpoint(), broker.endpoint()),
                Wishes.connectTimeout(300).limits(new LimitsSpec(1 << 20, 10, 3)));
        var client = proxy.connect()) {
      client.write(all.toByteArray()).halfClose();
      assertThat(client.readToEnd()).isEqualTo(expected.toByteArray());
    }
  }

  @Test
  void what_a_broker_said_before_its_end_arrives_before_the_end() throws Exception {
    var answer = Frames.answer(1, 8 * 1024 * 1024);
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.write(answer);
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1)).halfClose();
      // What has arrived was passed on by a proxy that has read the client's end before.
      await().until(() -> client.socket().getInputStream().available() > 0);
      assertThat(client.readToEnd()).isEqualTo(answer);
      proxy.awaitDisconnect(DisconnectCause.CLIENT_CLOSED);
    }
  }

  @Test
  void the_end_of_a_broker_is_passed_on() throws Exception {
    try (var broker = new StubBroker(Peer::frame);
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.UPSTREAM_CLOSED);
    }
  }

  @Test
  void a_broker_that_only_ends_its_side_ends_the_connection() throws Exception {
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.halfClose();
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.UPSTREAM_CLOSED);
    }
  }

  @Test
  void a_broker_that_resets_within_a_response_ends_the_connection_without_a_reset()
      throws Exception {
    var answer = Frames.answer(1, 1000);
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.write(answer, 0, 500);
                  client.reset();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd().length).isLessThanOrEqualTo(500);
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.UPSTREAM_CLOSED);
    }
  }

  @Test
  void a_broker_that_resets_while_requests_pour_in_costs_no_buffer() throws Exception {
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.reset();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      for (int i = 0; i < 50; i++) {
        try (var client = proxy.connect()) {
          pour(client);
        }
      }
    }
  }

  private static void pour(Peer client) {
    try {
      for (int i = 0; i < 200; i++) {
        client.write(Frames.joined(Frames.heartbeat(i, 2000), Frames.futureApiVersions(i)));
      }
    } catch (IOException e) {
      return; // The connection was ended, as it should be.
    }
  }

  @Test
  void a_client_that_resets_within_a_request_without_answer_leaves_nothing_in_flight()
      throws Exception {
    try (var broker = new StubBroker(Peer::readToEnd);
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var client = proxy.connect();
      client.write(bigOneWayRequest(), 0, 300);
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      client.reset();
      proxy.awaitQuiet();
    }
  }

  @Test
  void a_client_that_resets_with_answers_of_our_own_pending_costs_no_buffer() throws Exception {
    try (var broker = new StubBroker(Peer::readToEnd);
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var client = proxy.connect();
      client.write(Frames.joined(Frames.heartbeat(1), Frames.futureApiVersions(2)));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 2);
      client.reset();
      proxy.awaitQuiet();
    }
  }

  @Test
  void a_client_that_resets_within_a_response_is_forgotten() throws Exception {
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  assertThatThrownBy(
                          () -> {
                            client.write(Frames.answer(1, 30 * 1024 * 1024));
                            client.readToEnd();
                            throw new SocketException("all was taken");
                          })
                      .isInstanceOf(IOException.class);
                });
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      var client = proxy.connect();
      client.write(Frames.heartbeat(1));
      client.read(100_000);
      client.reset();
      proxy.awaitQuiet();
    }
  }

  @Test
  void a_client_that_leaves_while_no_broker_can_be_reached_is_forgotten() throws Exception {
    try (var dead = new DeadEnd();
        var proxy =
            ProxyUnderTest.inFrontOf(List.of(dead.endpoint()), Wishes.connectTimeout(500))) {
      for (int i = 0; i < 10; i++) {
        var client = proxy.connect();
        client.write(Frames.joined(Frames.heartbeat(1), Frames.produce(2, 0, 90)), 0, 60);
        if (i % 2 == 0) {
          client.reset();
        } else {
          client.leave();
        }
      }
      proxy.awaitQuiet();
    }
  }

  @Test
  void an_end_within_a_header_is_no_reason_to_complain() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker)) {
      try (var client = proxy.connect()) {
        client.write(Frames.heartbeat(1), 0, 7).halfClose();
        assertThat(client.readToEnd()).isEmpty();
      }
      proxy.awaitDisconnect(DisconnectCause.CLIENT_CLOSED);
      assertThat(proxy.log().aboutConnections()).isEmpty();
      assertThat(broker.served()).isZero();
    }
  }

  @Test
  void waiting_for_half_closed_peers_costs_no_processor_time() throws Exception {
    try (var broker = new StubBroker(_ -> await().pollDelay(A_WHILE).until(() -> true));
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1)).halfClose();
      await().until(broker::served, served -> served == 1);
      long before = workerNanos();
      assertThat(client.readToEnd()).isEmpty();
      assertThat(Duration.ofNanos(workerNanos() - before)).isLessThan(Duration.ofMillis(300));
    }
  }

  private static long workerNanos() {
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("sluice-worker"))
        .mapToLong(thread -> threads.getThreadCpuTime(thread.threadId()))
        .sum();
  }
}
