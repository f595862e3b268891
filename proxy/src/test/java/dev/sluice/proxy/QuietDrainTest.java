package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.apache.kafka.common.message.FetchRequestData;
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
}
