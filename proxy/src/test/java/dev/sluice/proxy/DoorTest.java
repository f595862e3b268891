package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.protocol.Endpoint;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that are accepted while nobody keeps the door. */
class DoorTest {

  private static final byte[] SAID = "said and gone".getBytes(StandardCharsets.US_ASCII);

  private final Transport transport = Transport.best();
  private final AtomicReference<SocketChannel> held = new AtomicReference<>();
  private final AtomicReference<String> heard = new AtomicReference<>("");
  private MultiThreadIoEventLoopGroup loops;
  private Channel listening;
  private Door door;
  private Entrance entrance;

  @BeforeEach
  void listen() throws Exception {
    loops = new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
    var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    entrance =
        new Entrance(
            at,
            Optional.empty(),
            new NodePorts(ProxyUnderTest.gateway("127.0.0.1", 1)),
            OptionalInt.empty());
    door = new Door(entrance, loops.next());
    listening =
        new ServerBootstrap()
            .group(loops)
            .channel(transport.serverSocket())
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel client) {
                    door.arrived(Arrival.unread(client));
                    held.set(client);
                  }
                })
            .bind(at)
            .sync()
            .channel();
  }

  @AfterEach
  void end() throws Exception {
    listening.close().sync();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  @Test
  void who_says_something_and_leaves_while_it_is_held_is_heard_to_its_end() throws Exception {
    try (var client = connected()) {
      client.write(SAID);
      client.leave();
    }
    awaitLeft();
    door.open(entrance, this::listenTo);
    await().untilAsserted(() -> assertThat(heard).hasValue("said and gone."));
  }

  @Test
  void who_leaves_while_it_is_held_is_heard_to_do_so() throws Exception {
    connected().leave();
    awaitLeft();
    door.open(entrance, this::listenTo);
    await().untilAsserted(() -> assertThat(heard).hasValue("."));
  }

  private Peer connected() throws Exception {
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    var client = Peer.connect(new Endpoint("127.0.0.1", port));
    await().until(held::get, Objects::nonNull);
    return client;
  }

  /** Epoll tells so although nothing is read; other transports when it is. */
  private void awaitLeft() {
    if (transport.name().equals("epoll")) {
      await().until(() -> held.get().isInputShutdown());
    }
  }

  private void hear(String more) {
    heard.accumulateAndGet(more, String::concat);
  }

  private boolean listenTo(Arrival client) {
    client
        .client()
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext channel, Object message) {
                var bytes = (ByteBuf) message;
                hear(bytes.toString(StandardCharsets.US_ASCII));
                bytes.release();
              }

              @Override
              public void userEventTriggered(ChannelHandlerContext channel, Object event) {
                if (Handshakes.isEnd(event)) {
                  hear(".");
                  channel.close();
                }
              }
            });
    return true;
  }
}
