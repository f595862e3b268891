package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.sluice.proxy.Straggler.Wait;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A drain takes long, and whom it waits for can be seen. */
class StragglersTest {

  @Test
  void a_drain_that_takes_long_names_whom_it_waits_for_and_how_many_more() throws Exception {
    int clients = Stragglers.MOST_NAMED + 2;
    var mayAnswer = new CountDownLatch(1);
    List<Peer> peers = new ArrayList<>();
    try (var broker =
            new StubBroker(
                client -> {
                  var frame = client.frame();
                  mayAnswer.await();
                  client.write(Frames.echoed(frame));
                });
        var proxy =
            ProxyUnderTest.inFrontOf(
                broker, ProxyUnderTest.Wish.DEFAULT.drainTimeout(Duration.ofMinutes(1)))) {
      for (int i = 0; i < clients; i++) {
        peers.add(proxy.connect().write(Frames.heartbeat(1)));
      }
      await().until(broker::served, count -> count == clients);
      Asked.of(proxy.proxy().drain(ProxyUnderTest.NAME));

      var named =
          await()
              .until(
                  () -> proxy.view().drain().map(DrainProgress::waitsFor).orElse(List.of()),
                  some -> some.size() == Stragglers.MOST_NAMED);
      assertThat(named)
          .allSatisfy(
              one -> {
                assertThat(one.clientId()).isEqualTo("a-client");
                assertThat(one.cause()).isEqualTo(Wait.ANSWER);
                assertThat(one.api()).hasValue("Heartbeat");
                assertThat(one.requestsInFlight()).isEqualTo(1);
                assertThat(addresses(peers)).contains(one.address());
              });
      assertThat(named).isSortedAccordingTo((a, b) -> b.since().compareTo(a.since()));

      var line =
          await()
              .until(
                  () ->
                      proxy.log().atLeast(Level.INFO).stream()
                          .filter(text -> text.contains("Still waits for"))
                          .findFirst(),
                  Optional::isPresent)
              .orElseThrow();
      assertThat(line)
          .contains("a-client at 127.0.0.1:", "Heartbeat: its broker has not answered for ")
          .endsWith("and 2 more");

      mayAnswer.countDown();
      for (var peer : peers) {
        assertThat(peer.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
        peer.leave();
      }
    }
  }

  private static List<String> addresses(List<Peer> peers) {
    return peers.stream().map(peer -> "127.0.0.1:" + peer.socket().getLocalPort()).toList();
  }

  @Test
  void how_a_client_calls_itself_is_cut_and_made_plain() {
    var told =
        new Straggler(
            "me\nINFO all is well".repeat(20),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
            Wait.TURN,
            Optional.empty(),
            Duration.ZERO,
            0);
    assertThat(told.clientId()).startsWith("me?INFO").hasSize(100);
    assertThat(told.toString()).doesNotContain("\n");
  }
}
