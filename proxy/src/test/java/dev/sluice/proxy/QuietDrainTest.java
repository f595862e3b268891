package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.quiet.Bounds;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.quiet.QuietReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** Drains in which the proxy answers in the broker's place. */
class QuietDrainTest {

  private static final int VERSION = 12;

  @Test
  void a_poll_that_the_proxy_ended_leaves_nothing_in_flight() throws Exception {
    var poll =
        Frames.request(ApiKeys.FETCH, VERSION, 2, new FetchRequestData().setMaxWaitMs(30_000));
    try (var broker =
            new StubBroker(
                client -> {
                  client.write(Frames.echoed(client.frame()));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      client.write(poll);
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      var _ = proxy.proxy().stop("now");
      assertThat(Frames.correlationIdOfResponse(client.frame())).isEqualTo(2);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitEnded();
      assertThat(proxy.disconnects(DisconnectCause.DRAINED)).isEqualTo(1);
    }
  }

  /** Its connection is not read any more, and the poll is the first that is in flight. */
  @Test
  void a_poll_that_is_sent_in_a_pause_is_answered_and_the_end_said() throws Exception {
    int tries = 1;
    while (!isAnsweredInPause()) {
      assertThat(tries++).as("tries in which a poll could come too late").isLessThan(5);
    }
  }

  /** False where the poll was not answered, and may have come after the pause. */
  private static boolean isAnsweredInPause() throws Exception {
    var poll = Frames.request(ApiKeys.FETCH, VERSION, 2, new FetchRequestData().setMaxWaitMs(500));
    var mayAnswer = new CountDownLatch(1);
    try (var broker = new StubBroker(client -> answerWhen(mayAnswer, client));
        var proxy =
            ProxyUnderTest.draining(
                broker, new DrainSpec(DrainSpec.DEFAULT_TIMEOUT, Bounds.MAX_PAUSE, Duration.ZERO));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      Asked.of(proxy.proxy().drain(ProxyUnderTest.NAME));
      await().until(() -> proxy.view().drain().isPresent());
      long before = System.nanoTime();
      mayAnswer.countDown();
      client.frame();
      client.write(poll);
      var answer = client.tryFrame();
      if (answer.isEmpty() && System.nanoTime() - before > Bounds.MAX_PAUSE.toNanos() / 2) {
        return false;
      }
      assertThat(answer).map(Frames::correlationIdOfResponse).hasValue(2);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      assertThat(Asked.lastDrain(proxy).counted().earlyAnswers()).isEqualTo(1);
      assertThat(proxy.disconnects(DisconnectCause.DRAINED)).isEqualTo(1);
      return true;
    }
  }

  private static void answerWhen(CountDownLatch mayAnswer, Peer client)
      throws IOException, InterruptedException {
    client.frame();
    mayAnswer.await();
    client.write(
        Frames.response(
            ApiKeys.HEARTBEAT, ApiKeys.HEARTBEAT.latestVersion(), 1, new HeartbeatResponseData()));
    client.readToEnd();
  }

  @Test
  void a_client_is_asked_for_the_pause_that_is_configured() throws Exception {
    var drain = new DrainSpec(DrainSpec.DEFAULT_TIMEOUT, Bounds.MAX_PAUSE, Duration.ZERO);

    var answer = answerDuringDrain(drain);

    assertThat(answer.data().throttleTimeMs()).isEqualTo((int) Bounds.MAX_PAUSE.toMillis());
    assertThat(answer.counted().stamps()).isEqualTo(1);
    assertThat(answer.counted().count(Outcome.QUIESCED)).isEqualTo(1);
  }

  @Test
  void for_comparison_connections_are_closed_without_a_pause() throws Exception {
    var answer = answerDuringDrain(DrainSpec.DEFAULT.by(DrainManner.UNREAD));

    assertThat(answer.data().throttleTimeMs()).isZero();
    assertThat(answer.counted().stamps()).isZero();
    assertThat(answer.counted().count(Outcome.CLOSED_UNREAD)).isEqualTo(1);
  }

  @Test
  void for_comparison_connections_are_closed_at_once() throws Exception {
    try (var broker = new StubBroker(Peer::readToEnd);
        var proxy = ProxyUnderTest.draining(broker, DrainSpec.DEFAULT.by(DrainManner.AT_ONCE));
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      Asked.of(proxy.proxy().drain(ProxyUnderTest.NAME));
      assertThat(client.readToEnd()).isEmpty();
      var counted = Asked.lastDrain(proxy).counted();
      assertThat(counted.unanswered()).isEqualTo(Map.of("Heartbeat", 1));
    }
  }

  private record Answer(HeartbeatResponseData data, QuietReport counted) {}

  /** A request is in flight when the drain begins, and is answered then. */
  private static Answer answerDuringDrain(DrainSpec drain) throws Exception {
    var mayAnswer = new CountDownLatch(1);
    short version = ApiKeys.HEARTBEAT.latestVersion();
    try (var broker = new StubBroker(client -> answerWhen(mayAnswer, client));
        var proxy = ProxyUnderTest.draining(broker, drain);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      await().until(broker::served, served -> served == 1);
      Asked.of(proxy.proxy().drain(ProxyUnderTest.NAME));
      await().until(() -> proxy.view().drain().isPresent());
      mayAnswer.countDown();
      var answer = Frames.body(ApiKeys.HEARTBEAT, version, client.frame());
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      return new Answer(
          new HeartbeatResponseData(answer, version), Asked.lastDrain(proxy).counted());
    }
  }
}
