package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listening socket that could not take somebody, on a real socket with a made-up failure. */
class AcceptanceTest {

  /** After that also Netty's own bootstrap would have turned accepting on again, if it could. */
  private static final long NETTYS_PAUSE_MILLIS = 1_000;

  /** Far less than what a door that closes looks for its backlog. */
  private static final long A_FEW_LOOKS_MILLIS = 50;

  private final Log log = new Log();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Transport transport = Transport.best();
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
  private final Queue<Object> arrived = new ConcurrentLinkedQueue<>();

  private ServerSocketChannel socket;
  private Acceptance acceptance;

  @BeforeEach
  void listen() throws InterruptedException {
    var engine = EngineUnderTest.of(transport, loops, registry);
    socket =
        (ServerSocketChannel)
            Sockets.bootstrap(engine, _ -> {}, arrived::add)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    acceptance = Listening.acceptance(socket);
  }

  @AfterEach
  void end() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    log.close();
  }

  @Test
  void after_a_failure_nobody_is_accepted_for_a_moment_and_then_who_has_waited() throws Exception {
    acceptance.want(true);
    assertThat(acceptsAfterFailureAnd(() -> {})).isFalse();
    try (var _ = new Socket(socket.localAddress().getAddress(), socket.localAddress().getPort())) {
      await().until(arrived::size, count -> count == 1);
    }
    assertThat(registry.get("sluice.accepting.pauses").counter().count()).isEqualTo(1);
    assertThat(log.atLeast(Level.INFO))
        .hasSize(2)
        .anyMatch(line -> line.contains("Cannot accept connections: Too many open files"))
        .anyMatch(line -> line.contains("Accepts connections again"));
    assertThat(log.swallowed()).isEmpty();
  }

  @Test
  void who_is_to_wait_waits_on_when_the_moment_is_over() throws Exception {
    acceptance.want(true);
    fail();
    acceptance.want(false);
    try (var _ = new Socket(socket.localAddress().getAddress(), socket.localAddress().getPort())) {
      assertThat(acceptsIn(Acceptance.PAUSE_MILLIS + 1)).isFalse();
      assertThat(acceptsIn(NETTYS_PAUSE_MILLIS)).isFalse();
      assertThat(arrived).isEmpty();
      acceptance.want(true);
      await().until(arrived::size, count -> count == 1);
    }
  }

  @Test
  void who_is_let_in_within_the_moment_is_let_in_after_it() throws Exception {
    acceptance.want(true);
    boolean accepts =
        acceptsAfterFailureAnd(
            () -> {
              acceptance.want(false);
              acceptance.want(true);
            });
    assertThat(accepts).isFalse();
    assertThat(acceptsIn(Acceptance.PAUSE_MILLIS + 1)).isTrue();
  }

  @Test
  void nobody_else_turns_accepting_on() throws Exception {
    acceptance.want(true);
    // As Netty's own bootstrap does a while after it could not take somebody itself.
    assertThat(acceptsAfterFailureAnd(() -> socket.config().setAutoRead(true))).isFalse();
    assertThat(acceptsIn(Acceptance.PAUSE_MILLIS + 1)).isTrue();
    acceptance.want(false);
    socket.eventLoop().submit(() -> socket.config().setAutoRead(true)).sync();
    assertThat(acceptsIn(0)).isFalse();
  }

  /**
   * It would be turned off for good: what is wanted is said by another thread just before accepting
   * is turned off for want of a wish.
   */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void what_is_wanted_while_accepting_is_turned_off_holds() throws Exception {
    var turned = new TurnedSocket();
    try {
      var turning = new Acceptance(turned, EngineUnderTest.of(transport, loops, registry), _ -> {});
      turned.whenTurnedOff(() -> turning.want(true));
      turning.read(new EmbeddedChannel(new ChannelDuplexHandler()).pipeline().firstContext());
      turned.joinOther();
      assertThat(turned.config().isAutoRead()).isTrue();
    } finally {
      turned.end();
    }
  }

  /** Netty's own bootstrap pauses, too, and tells nobody. */
  @Test
  void who_waits_at_a_door_that_closes_while_nettys_own_pause_lasts_is_taken_in_first()
      throws Exception {
    var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var ports = new NodePorts(ProxyUnderTest.gateway("127.0.0.1", 1));
    var entrance = new Entrance(at, Optional.empty(), ports, OptionalInt.empty());
    var door = new Door(entrance, loops.next());
    var listening = listening(door, at);
    door.open(entrance, client -> arrived.add(client.client()));
    listening.eventLoop().submit(() -> listening.config().setAutoRead(false)).sync();
    var place = (InetSocketAddress) listening.localAddress();
    try (var _ = new Socket(place.getAddress(), place.getPort())) {
      var _ =
          listening
              .eventLoop()
              .schedule(
                  () -> listening.config().setAutoRead(true),
                  A_FEW_LOOKS_MILLIS,
                  TimeUnit.MILLISECONDS);
      door.close().sync();
      assertThat(arrived).hasSize(1);
    }
  }

  private Channel listening(Door door, InetSocketAddress at) throws InterruptedException {
    var listening =
        Sockets.bootstrap(
                EngineUnderTest.of(transport, loops, registry),
                _ -> door.accepted(),
                client -> door.arrived(Arrival.unread(client)))
            .bind(at)
            .sync()
            .channel();
    door.listensOn(Listening.alone(listening));
    return listening;
  }

  @Test
  void who_waits_at_a_door_that_closes_while_accepting_pauses_is_taken_in_first() throws Exception {
    var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var ports = new NodePorts(ProxyUnderTest.gateway("127.0.0.1", 1));
    var entrance = new Entrance(at, Optional.empty(), ports, OptionalInt.empty());
    var door = new Door(entrance, loops.next());
    var listening = listening(door, at);
    door.open(entrance, client -> arrived.add(client.client()));
    listening
        .eventLoop()
        .submit(() -> listening.pipeline().fireExceptionCaught(new IOException("No more")))
        .sync();
    var place = (InetSocketAddress) listening.localAddress();
    try (var _ = new Socket(place.getAddress(), place.getPort())) {
      door.close().sync();
      assertThat(arrived).hasSize(1);
    }
  }

  @Test
  void however_often_it_fails_one_line_says_so() throws Exception {
    acceptance.want(true);
    for (int i = 0; i < 5; i++) {
      fail();
    }
    assertThat(log.errors()).hasSize(1);
    assertThat(registry.get("sluice.accepting.pauses").counter().count()).isEqualTo(5);
  }

  private void fail() throws Exception {
    acceptsAfterFailureAnd(() -> {});
  }

  /** What is seen at once, before the loop has done anything else: the moment is a short one. */
  private boolean acceptsAfterFailureAnd(Runnable next) throws Exception {
    return socket
        .eventLoop()
        .submit(
            () -> {
              socket.pipeline().fireExceptionCaught(new IOException("Too many open files"));
              next.run();
              return socket.config().isAutoRead();
            })
        .get();
  }

  /** What is seen when its loop has done everything that was due by then. */
  private boolean acceptsIn(long millis) throws Exception {
    return socket
        .eventLoop()
        .schedule(() -> socket.config().isAutoRead(), millis, TimeUnit.MILLISECONDS)
        .get();
  }
}
