package dev.sluice.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;

/** Answers at once what a broker would think about: {@link StubHandler}. */
final class StubMain {

  private static final int BACKLOG = 4096;

  private StubMain() {}

  /** Listens on the port of the argument. */
  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    new ServerBootstrap()
        .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
        .channel(EpollServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(
            ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(256, 1024, 256 << 10))
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new StubHandler(port));
              }
            })
        .bind(InetAddress.getLoopbackAddress(), port)
        .sync()
        .channel()
        .closeFuture()
        .sync();
  }
}
