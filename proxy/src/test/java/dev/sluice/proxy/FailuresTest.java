package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sluice.embedded.FreePorts;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.Wanted;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.proxy.ProxyUnderTest.Wish;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * What fails where nobody would hear of it (in listeners, or on the way to an end) ends its
 * connection, and nothing that it held is left over. Failures are made up; leaks are looked for
 * when a proxy is closed.
 */
class FailuresTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ALWAYS = Integer.MAX_VALUE;
  private static final Wish ONE_AT_A_TIME =
      Wish.DEFAULT.limits(
          new LimitsSpec(
              LimitsSpec.DEFAULT.maxFrameSize(), LimitsSpec.DEFAULT.maxConnections(), 1));

  @Test
  void want_of_memory_for_what_was_parked_ends_its_connection() throws Exception {
    resumedWith(() -> new OutOfMemoryError("made up"), DisconnectCause.NO_MEMORY);
  }

  @Test
  void a_connection_is_cut_for_want_of_memory_also_where_none_is_left_to_say_so() throws Exception {
    resumedWith(Unspeakable::new, DisconnectCause.NO_MEMORY);
  }

  @Test
  void any_error_over_what_was_parked_ends_its_connection() throws Exception {
    resumedWith(() -> new AssertionError("made up"), DisconnectCause.FAILED);
  }

  /** It takes memory to say what happened, and there is none. */
  private static final class Unspeakable extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("made up, too");
    }
  }

  /** A request that the proxy answers itself is parked until the one before it is answered. */
  private static void resumedWith(Supplier<Error> failure, DisconnectCause expected)
      throws Exception {
    var parked = new CountDownLatch(1);
    try (var broker = new StubBroker(client -> echoOnce(client, parked));
        var proxy = ProxyUnderTest.inFrontOf(broker, ONE_AT_A_TIME);
        var client = proxy.connect()) {
      proxy.expectDefect("made up");
      client.write(Frames.joined(Frames.heartbeat(1), Frames.futureApiVersions(2)));
      await()
          .atMost(PATIENCE)
          .until(() -> proxy.reached(Limit.MAX_IN_FLIGHT), reached -> reached == 1);
      new FailingAllocator(1, failure).failFor(proxy);
      parked.countDown();
      untilGone(client);
      proxy.awaitDisconnect(expected);
      await().atMost(PATIENCE).until(() -> proxy.view().connections(), left -> left == 0);
    }
  }

  private static void echoOnce(Peer client, CountDownLatch when)
      throws IOException, InterruptedException {
    var frame = client.frame();
    when.await();
    client.write(Frames.echoed(frame));
    untilGone(client);
  }

  /** Whatever comes before, an end or a reset; then it is gone, too. */
  private static void untilGone(Peer peer) throws IOException {
    try {
      peer.readToEnd();
    } catch (IOException _) {
      // A reset.
    }
    peer.leave();
  }

  @Test
  void an_error_over_what_a_filter_says_ends_its_connection() throws Exception {
    var members =
        new AbstractList<LeaveGroupRequestData.MemberIdentity>() {
          @Override
          public LeaveGroupRequestData.MemberIdentity get(int index) {
            throw new AssertionError("made up");
          }

          @Override
          public int size() {
            return 1;
          }
        };
    var filter =
        new ScriptedFilter(Wanted.NOTHING.andRequests(ApiKeys.LEAVE_GROUP))
            .onRequest(
                (_, _) -> RequestVerdict.forward(new LeaveGroupRequestData().setMembers(members)));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(
          Frames.request(ApiKeys.LEAVE_GROUP, 5, 1, new LeaveGroupRequestData().setGroupId("g")));
      untilGone(client);
      proxy.awaitDisconnect(DisconnectCause.FILTERED);
    }
  }

  @Test
  void an_answer_that_cannot_be_encrypted_ends_its_connection(@TempDir Path folder)
      throws Exception {
    var tls = new TlsUnderTest(folder);
    var arrived = new CountDownLatch(1);
    var failing = new CountDownLatch(1);
    try (var broker =
        new StubBroker(
            peer -> {
              arrived.countDown();
              echoOnce(peer, failing);
            })) {
      var plain =
          ProxyUnderTest.cluster(
              ProxyUnderTest.NAME, broker.endpoint(), FreePorts.inARow(ProxyUnderTest.NODES + 1));
      var gateway = plain.gateways().getFirst().withTls(Optional.of(tls.showing(tls.issue("one"))));
      var cluster = plain.withGateways(List.of(gateway));
      try (var proxy =
          ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(cluster))) {
        proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
        try (var client = new Peer(tls.client(proxy.bootstrap()))) {
          client.write(Frames.heartbeat(1));
          arrived.await();
          new FailingAllocator(ALWAYS, () -> new OutOfMemoryError("made up")).failFor(proxy);
          failing.countDown();
          untilGone(client);
          proxy.awaitDisconnect(DisconnectCause.NO_MEMORY);
        }
      }
    }
  }

  @Test
  void requests_that_cannot_be_written_are_let_go() throws Exception {
    try (var broker =
            new StubBroker(
                client -> {
                  client.frame();
                  client.reset();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      try {
        for (int i = 0; i < 1_000; i++) {
          client.write(Frames.heartbeat(i, 10_000));
        }
      } catch (IOException _) {
        // The proxy has told the end meanwhile.
      }
      untilGone(client);
      proxy.awaitDisconnect(DisconnectCause.UPSTREAM_CLOSED);
    }
  }

  @Test
  void what_is_parked_is_let_go_also_where_the_end_of_its_connection_fails() throws Exception {
    var failing = new FailingAppender();
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      proxy.expectDefect("made up");
      failing.attach();
      client.write(Frames.joined(Frames.heartbeat(2), new byte[100]));
      untilGone(client);
      proxy.awaitDisconnect(DisconnectCause.BAD_REQUEST);
    } finally {
      failing.detach();
    }
    assertThat(failing.failed).isTrue();
  }

  /** The first line about a connection cannot be written. */
  private static final class FailingAppender extends AppenderBase<ILoggingEvent> {
    private volatile boolean failed;

    private static Logger logger() {
      return (Logger) LoggerFactory.getLogger(Parting.class);
    }

    void attach() {
      start();
      logger().addAppender(this);
    }

    void detach() {
      logger().detachAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (!failed) {
        failed = true;
        throw new AssertionError("made up");
      }
    }
  }
}
