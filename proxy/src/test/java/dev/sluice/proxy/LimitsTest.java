package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Bounds, nonsense and time-outs: one line says why, and nobody else is disturbed. */
class LimitsTest {

  /** Of a client that is slow, not silent: what is shown is that this is no excuse. */
  private static final Duration BETWEEN_BYTES = Duration.ofMillis(100);

  @Test
  void at_the_bound_of_requests_in_flight_reading_stops_and_goes_on_again() throws Exception {
    int bound = 4;
    var mayAnswer = new Semaphore(0);
    var got = new AtomicInteger();
    try (var broker = new StubBroker(client -> answerWhenAllowed(client, got, mayAnswer));
        var proxy = ProxyUnderTest.inFrontOf(broker, Wishes.limits(1 << 20, 10, bound));
        var client = proxy.connect()) {
      for (int i = 0; i < 100; i++) {
        client.write(Frames.heartbeat(i));
      }
      await().until(got::get, count -> count == bound);
      assertThat(proxy.view().requestsInFlight()).isEqualTo(bound);
      assertThat(proxy.reached(Limit.MAX_IN_FLIGHT)).isPositive();
      mayAnswer.release(100);
      for (int i = 0; i < 100; i++) {
        assertThat(Frames.correlationIdOfResponse(client.frame())).isEqualTo(i);
      }
    }
  }

  /** Reads on a thread of its own, so that it can be seen how much has arrived. */
  private static void answerWhenAllowed(Peer client, AtomicInteger got, Semaphore mayAnswer)
      throws IOException, InterruptedException {
    var arrived = new java.util.concurrent.LinkedBlockingQueue<byte[]>();
    var reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (var f = client.tryFrame(); f.isPresent(); f = client.tryFrame()) {
                      got.incrementAndGet();
                      arrived.add(f.get());
                    }
                  } catch (IOException e) {
                    return;
                  }
                });
    for (int i = 0; i < 100; i++) {
      mayAnswer.acquire();
      client.write(Frames.echoed(arrived.take()));
    }
    reader.join();
  }

  @Test
  void connections_over_the_bound_are_closed_and_counted_and_room_is_found_again()
      throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, Wishes.limits(1 << 20, 2, 10))) {
      try (var first = proxy.connect();
          var second = proxy.connect()) {
        roundTrip(first, 1);
        roundTrip(second, 2);
        try (var third = proxy.connect();
            var fourth = proxy.connect()) {
          assertThat(third.readToEnd()).isEmpty();
          assertThat(fourth.readToEnd()).isEmpty();
          first.leave();
          await()
              .untilAsserted(
                  () -> assertThat(proxy.disconnects(DisconnectCause.CLIENT_CLOSED)).isEqualTo(1));
          // The refused ones linger, and take no room.
          try (var fifth = proxy.connect()) {
            roundTrip(fifth, 5);
          }
        }
        roundTrip(second, 3);
      }
      proxy.awaitQuiet();
      assertThat(proxy.disconnects(DisconnectCause.TOO_MANY_CONNECTIONS)).isEqualTo(2);
      assertThat(proxy.reached(Limit.MAX_CONNECTIONS)).isEqualTo(2);
      assertThat(proxy.log().aboutConnections())
          .hasSize(2)
          .allMatch(line -> line.contains("limits.maxConnections of 2"));
    }
  }

  @Test
  void a_flood_of_refused_connections_is_told_in_one_line() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, flooded(Duration.ofHours(1)))) {
      flood(proxy, 50);
      assertThat(proxy.disconnects(DisconnectCause.TOO_MANY_CONNECTIONS)).isEqualTo(50);
      assertThat(proxy.log().aboutConnections()).hasSize(1);
    }
  }

  @Test
  void what_no_line_was_written_about_is_told_as_a_number_after_the_interval() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, flooded(Duration.ofSeconds(1)))) {
      flood(proxy, 50);
      await().until(() -> proxy.log().connectionsTold(), told -> told == 50);
      assertThat(proxy.log().aboutConnections().size()).isLessThan(50);
    }
  }

  private static ProxyUnderTest.Wish flooded(Duration interval) {
    return ProxyUnderTest.Wish.DEFAULT
        .network(Wishes.logging(interval))
        .and(Wishes.limits(1 << 20, 1, 10));
  }

  /** One client is served, the others are turned away. */
  private static void flood(ProxyUnderTest proxy, int others) throws IOException {
    try (var served = proxy.connect()) {
      roundTrip(served, 1);
      for (int i = 0; i < others; i++) {
        try (var client = proxy.connect()) {
          assertThat(client.readToEnd()).isEmpty();
        }
      }
    }
    proxy.awaitQuiet();
  }

  /** Of the clients that come one after the other the first that is served. */
  private static Peer askingInTime(ProxyUnderTest proxy) throws IOException {
    var client = proxy.connect();
    while (!isServed(client)) {
      client.leave();
      client = proxy.connect();
    }
    return client;
  }

  /** Not so where the machine stalls, and the client asks when its time is over. */
  private static boolean isServed(Peer client) {
    try {
      client.write(Frames.heartbeat(1));
      return client.tryFrame().isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private static void roundTrip(Peer client, int id) throws IOException {
    client.write(Frames.heartbeat(id));
    assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(id)));
  }

  @Test
  void nonsense_closes_its_connection_with_one_line_and_disturbs_no_other() throws Exception {
    var nonsense =
        Map.of(
            "an HTTP request", "GET /metrics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            "a TLS handshake", new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 9, 9},
            "a negative frame length", new byte[] {-1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0, 0},
            "more than the bound of 65536", ByteBuffer.allocate(16).putInt(65537).array(),
            "API key 9999", header(9999, 0),
            "Fetch version 999", header(1, 999));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, Wishes.limits(65536, 100, 10));
        var other = proxy.connect()) {
      roundTrip(other, 1);
      for (var entry : nonsense.entrySet()) {
        int before = proxy.log().aboutConnections().size();
        try (var client = proxy.connect()) {
          client.write(entry.getValue());
          assertThat(client.readToEnd()).as(entry.getKey()).isEmpty();
        }
        assertThat(proxy.log().aboutConnections()).hasSize(before + 1);
        assertThat(proxy.log().aboutConnections().getLast()).contains(entry.getKey());
      }
      roundTrip(other, 2);
      assertThat(broker.served()).as("nonsense reaches no broker").isEqualTo(1);
      await()
          .until(
              () -> proxy.disconnects(DisconnectCause.BAD_REQUEST),
              count -> count == nonsense.size());
    }
  }

  private static byte[] header(int key, int version) {
    return ByteBuffer.allocate(16)
        .putInt(12)
        .putShort((short) key)
        .putShort((short) version)
        .putInt(7)
        .array();
  }

  @Test
  void a_request_over_the_bound_counts_as_such_and_nonsense_does_not() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, Wishes.limits(65536, 100, 10))) {
      for (var first :
          List.of(
              ByteBuffer.allocate(16).putInt(65537).array(),
              "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII))) {
        try (var client = proxy.connect()) {
          client.write(first);
          assertThat(client.readToEnd()).isEmpty();
        }
      }
      proxy.awaitQuiet();
      assertThat(proxy.reached(Limit.MAX_FRAME_SIZE)).isEqualTo(1);
    }
  }

  @Test
  void nonsense_behind_good_requests_does_not_take_their_bytes_from_the_broker() throws Exception {
    var received = new java.util.concurrent.CompletableFuture<byte[]>();
    try (var broker = new StubBroker(client -> received.complete(client.readToEnd()));
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.joined(Frames.produce(1, 0, 10), new byte[] {-1, -1, -1, -1, 0}));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      assertThat(received.get()).isEqualTo(Frames.produce(1, 0, 10));
    }
  }

  @Test
  void responses_that_answer_nothing_close_the_connection_with_one_line() throws Exception {
    var tls = new byte[] {0x15, 3, 3, 0, 2, 2, 70, 0};
    var bad =
        Map.of(
            "correlation id 1, found 2", Frames.answer(2, 5),
            "a TLS alert", tls,
            "an HTTP response", "HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII),
            "a negative frame length", new byte[] {-9, 1, 1, 1, 0, 0, 0, 1},
            "nothing was asked", Frames.joined(Frames.answer(1, 9), Frames.answer(2, 9)));
    for (var entry : bad.entrySet()) {
      try (var broker =
              new StubBroker(
                  client -> {
                    client.frame();
                    client.write(entry.getValue());
                    client.readToEnd();
                  });
          var proxy = ProxyUnderTest.inFrontOf(broker);
          var client = proxy.connect()) {
        client.write(Frames.heartbeat(1));
        var seen = client.readToEnd();
        assertThat(seen)
            .isEqualTo(
                entry.getKey().equals("nothing was asked") ? Frames.answer(1, 9) : new byte[0]);
        client.leave();
        proxy.awaitDisconnect(DisconnectCause.BAD_RESPONSE);
        assertThat(proxy.log().aboutConnections())
            .singleElement()
            .satisfies(line -> assertThat(line).contains(entry.getKey()));
      }
    }
  }

  @Test
  void a_connection_on_which_nothing_is_said_is_closed() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, Wishes.idle(Duration.ofMinutes(1), Duration.ofMillis(500)));
        var talking = askingInTime(proxy)) {
      int before = proxy.log().aboutConnections().size();
      try (var silent = proxy.connect();
          var halting = proxy.connect()) {
        halting.write(new byte[] {0, 0, 0});
        assertThat(silent.readToEnd()).isEmpty();
        assertThat(halting.readToEnd()).isEmpty();
      }
      roundTrip(talking, 2);
      assertThat(proxy.log().aboutConnections())
          .hasSize(before + 2)
          .allMatch(line -> line.contains("unauthenticatedIdleTimeout"));
    }
  }

  @Test
  void a_trickle_of_bytes_keeps_no_connection_that_asks_nothing() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, Wishes.idle(Duration.ofMinutes(1), Duration.ofMillis(600)));
        var client = proxy.connect()) {
      var trickle =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (byte b : Frames.heartbeat(1, 200)) {
                        client.write(new byte[] {b});
                        LockSupport.parkNanos(BETWEEN_BYTES.toNanos());
                      }
                    } catch (IOException e) {
                      return; // Cut, as it should be.
                    }
                  });
      assertThat(client.readToEnd()).isEmpty();
      assertThat(proxy.disconnects(DisconnectCause.IDLE)).isZero();
      client.leave();
      trickle.join();
      proxy.awaitDisconnect(DisconnectCause.IDLE);
    }
  }

  @Test
  void a_request_that_has_begun_and_does_not_go_on_ends_its_connection_after_answers_too()
      throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, Wishes.progress(Duration.ofMillis(300)));
        var quiet = proxy.connect();
        var halting = proxy.connect();
        var within = proxy.connect()) {
      roundTrip(quiet, 1);
      roundTrip(halting, 1);
      roundTrip(within, 1);
      halting.write(Frames.heartbeat(2, 1_000), 0, 500);
      within.write(Frames.heartbeat(2), 0, 3);
      assertThat(halting.readToEnd()).isEmpty();
      assertThat(within.readToEnd()).isEmpty();
      roundTrip(quiet, 2);
      halting.leave();
      within.leave();
      await().until(() -> proxy.disconnects(DisconnectCause.STALLED), count -> count == 2);
      assertThat(proxy.reached(Limit.PROGRESS)).isEqualTo(2);
      assertThat(proxy.log().aboutConnections())
          .hasSize(2)
          .allMatch(line -> line.contains("a request of the client had begun"))
          .allMatch(line -> line.contains("progressTimeout of 300 ms"));
    }
  }

  @Test
  void a_response_that_has_begun_and_does_not_go_on_ends_its_connection() throws Exception {
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.write(Frames.answer(1, 1_000), 0, 500);
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, Wishes.progress(Duration.ofMillis(300)));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd()).hasSize(500);
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.STALLED);
      assertThat(proxy.log().aboutConnections())
          .singleElement()
          .asString()
          .contains("a response of the broker had begun");
    }
  }

  /** Clients come again and again to a broker that hangs, and leave each time. */
  @Test
  void who_has_left_is_not_kept_for_an_answer_that_does_not_come() throws Exception {
    var mayGoOn = new Semaphore(0);
    try (var broker =
            new StubBroker(
                client -> {
                  client.write(Frames.echoed(client.frame()));
                  mayGoOn.acquire();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, Wishes.progress(Duration.ofMillis(300)))) {
      try (var client = proxy.connect()) {
        roundTrip(client, 1);
        client.write(Frames.heartbeat(2));
        await().until(() -> proxy.view().requestsInFlight(), count -> count == 1);
      }
      proxy.awaitDisconnect(DisconnectCause.CLIENT_CLOSED);
      assertThat(proxy.reached(Limit.PROGRESS)).isEqualTo(1);
      mayGoOn.release();
    }
  }

  /** Neighbours who left with nothing that was not forwarded show that the time is over. */
  @Test
  void what_was_read_of_who_has_left_is_not_dropped_behind_an_answer_that_does_not_come()
      throws Exception {
    var mayAnswer = new Semaphore(0);
    try (var broker = new StubBroker(client -> echoOnceAllowed(client, mayAnswer));
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker,
                Wishes.progress(Duration.ofMillis(300)).and(Wishes.limits(1 << 20, 10, 1)));
        var client = proxy.connect()) {
      roundTrip(client, 1);
      client.write(Frames.joined(Frames.heartbeat(7), Frames.heartbeat(8))).halfClose();
      for (int neighbours = 1; neighbours <= 2; neighbours++) {
        var left = neighbours;
        try (var neighbour = proxy.connect()) {
          roundTrip(neighbour, 1);
          neighbour.write(Frames.heartbeat(7)).halfClose();
          assertThat(neighbour.readToEnd()).isEmpty();
        }
        await().until(() -> proxy.reached(Limit.PROGRESS), reached -> reached == left);
      }
      mayAnswer.release(3);
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(7)));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(8)));
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  /** Of the request with number 7, which is not answered before. */
  private static void echoOnceAllowed(Peer client, Semaphore mayAnswer)
      throws IOException, InterruptedException {
    for (var f = client.tryFrame(); f.isPresent(); f = client.tryFrame()) {
      if (Frames.correlationIdOfRequest(f.get()) == 7) {
        mayAnswer.acquire();
      }
      client.write(Frames.echoed(f.get()));
    }
  }

  /** A neighbour that is to blame shows that the time is over. */
  @Test
  void who_is_not_read_is_not_to_blame_for_half_a_request() throws Exception {
    var mayAnswer = new Semaphore(0);
    try (var broker = new StubBroker(client -> echoOnceAllowed(client, mayAnswer));
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker,
                Wishes.progress(Duration.ofMillis(300)).and(Wishes.limits(1 << 20, 10, 1)));
        var client = proxy.connect()) {
      var next = Frames.heartbeat(8, 1_000);
      roundTrip(client, 1);
      client.write(Frames.heartbeat(7)).write(next, 0, 500);
      for (int neighbours = 0; neighbours < 2; neighbours++) {
        try (var neighbour = proxy.connect()) {
          roundTrip(neighbour, 1);
          neighbour.write(next, 0, 500);
          assertThat(neighbour.readToEnd()).isEmpty();
        }
      }
      // It is read on when there is an answer, and from then on there is a limit again.
      client.write(next, 500, next.length);
      mayAnswer.release();
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(7)));
      assertThat(client.frame()).isEqualTo(Frames.echoed(next));
    }
  }

  /** Its broker answers when both time-outs have passed for a neighbour that asks nothing. */
  @Test
  void who_waits_for_an_answer_is_neither_idle_nor_never_served() throws Exception {
    var mayAnswer = new Semaphore(0);
    try (var broker =
            new StubBroker(
                client -> {
                  var asked = client.frame();
                  mayAnswer.acquire();
                  client.write(Frames.echoed(asked));
                  client.readToEnd();
                });
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, Wishes.idle(Duration.ofMillis(300), Duration.ofMillis(300)));
        var waiting = waitingForAnAnswer(proxy, broker)) {
      for (int neighbours = 0; neighbours < 2; neighbours++) {
        try (var silent = proxy.connect()) {
          assertThat(silent.readToEnd()).isEmpty();
        }
      }
      mayAnswer.release();
      assertThat(Frames.correlationIdOfResponse(waiting.frame())).isEqualTo(1);
    }
  }

  /** Where the machine stalls, a client may be cut before it has asked: then another one comes. */
  private static Peer waitingForAnAnswer(ProxyUnderTest proxy, StubBroker broker)
      throws IOException {
    while (true) {
      var client = proxy.connect();
      client.write(Frames.heartbeat(1));
      var isCut = new AtomicBoolean();
      Thread.ofVirtual().start(() -> isCut.set(!client.hasMore()));
      await().until(() -> broker.served() == 1 || isCut.get());
      if (!isCut.get()) {
        return client;
      }
      client.leave();
    }
  }

  @Test
  void a_connection_that_has_been_served_and_is_idle_is_closed_without_a_word() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, Wishes.idle(Duration.ofMillis(700), Duration.ofMinutes(1)));
        var client = askingInTime(proxy)) {
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      await().until(() -> proxy.disconnects(DisconnectCause.IDLE), count -> count >= 1);
      proxy.awaitQuiet();
      assertThat(proxy.log().aboutConnections()).isEmpty();
      assertThat(proxy.reached(Limit.IDLE)).isEqualTo(proxy.disconnects(DisconnectCause.IDLE));
    }
  }

  @Test
  void when_no_address_can_be_reached_one_line_names_each() throws Exception {
    int refused = FreePorts.inARow(1);
    try (var dead = new DeadEnd();
        var proxy =
            ProxyUnderTest.inFrontOf(
                List.of(
                    new dev.sluice.protocol.Endpoint("127.0.0.1", refused),
                    dead.endpoint(),
                    new dev.sluice.protocol.Endpoint("no-such-host.invalid", 9092)),
                Wishes.connectTimeout(300));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.UPSTREAM_UNREACHABLE);
      assertThat(proxy.reached(Limit.CONNECT)).as("discovery tries, too").isPositive();
      assertThat(proxy.log().aboutConnections())
          .singleElement()
          .satisfies(
              line ->
                  assertThat(line)
                      .contains(
                          ":" + refused,
                          ":" + dead.endpoint().port(),
                          "no-such-host.invalid:9092: no such host"));
    }
  }
}
