package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class IntroductionTest {

  private final Introduction introduction = new Introduction(OptionalInt.empty());

  @Test
  void how_far_away_the_client_is_the_kernel_knows() throws Exception {
    assumeTrue(Epoll.isAvailable(), "the kernel is asked by epoll");
    var transport = Transport.best();
    try (var peer = new StubBroker(Peer::readToEnd);
        var loops = new MultiThreadIoEventLoopGroup(1, transport.ioHandler())) {
      Future<Channel> dialled =
          new Dialler(EngineUnderTest.of(transport, loops, new SimpleMeterRegistry()), _ -> {})
              .to(List.of(peer.endpoint()), loops.next());
      assertThat(dialled.await(10, TimeUnit.SECONDS)).isTrue();
      var channel = (SocketChannel) dialled.getNow();
      long roundTrip = introduction.describe(channel).roundTrip();
      assertThat(roundTrip).isBetween(1L, Duration.ofSeconds(1).toNanos());
      assertThat(channel.close().await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(introduction.describe(channel).roundTrip()).isZero();
    }
  }

  @Test
  void who_fetches_or_acknowledges_shared_records_shares() {
    introduction.asked(ApiKeys.SHARE_GROUP_HEARTBEAT.id);
    assertThat(introduction.isSharing()).isFalse();
    introduction.asked(ApiKeys.SHARE_ACKNOWLEDGE.id);
    assertThat(introduction.isSharing()).isTrue();
  }

  @Test
  void who_begins_to_authenticate_is_somebody_to_the_broker() {
    introduction.asked(ApiKeys.PRODUCE.id);
    assertThat(introduction.hasAuthenticated()).isFalse();
    introduction.asked(ApiKeys.SASL_HANDSHAKE.id);
    assertThat(introduction.hasAuthenticated()).isTrue();
  }
}
