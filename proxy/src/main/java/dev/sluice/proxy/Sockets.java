package dev.sluice.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.util.function.Consumer;

/** What all sockets of the data path have in common. */
final class Sockets {

  /** What one read of a socket takes at first, and at most, in bytes. */
  static final int FIRST_READ_BYTES = 16 * 1024;

  static final int LARGEST_READ_BYTES = 256 * 1024;

  /** Connections that wait in the kernel to be accepted. */
  private static final int BACKLOG = 1024;

  /** When more than this waits to be written the other side is not read, in bytes. */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

  private Sockets() {}

  /**
   * What listens on a port, and accepts nobody before it is told to.
   *
   * @param accepted is told when the kernel has handed over a client, on the loop that accepts
   * @param arrived is told of it on its own event loop
   */
  static ServerBootstrap bootstrap(
      Engine engine, Consumer<Object> accepted, Consumer<SocketChannel> arrived) {
    return new ServerBootstrap()
        .group(engine.loops())
        .channel(engine.transport().serverSocket())
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .handler(
            new ChannelInitializer<ServerSocketChannel>() {
              @Override
              protected void initChannel(ServerSocketChannel socket) {
                socket.pipeline().addLast(new Acceptance(socket, engine, accepted));
              }
            })
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel client) {
                arrived.accept(client);
              }
            });
  }

  /** What every connection, of a client or to a broker, reads by. */
  static AdaptiveRecvByteBufAllocator readSizes() {
    return new AdaptiveRecvByteBufAllocator(1024, FIRST_READ_BYTES, LARGEST_READ_BYTES);
  }

  static WriteBufferWaterMark waterMark() {
    return WATER_MARK;
  }
}
