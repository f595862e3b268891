package dev.sluice.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;

/**
 * The floor for a proxy in Java: Netty on epoll and one event loop that passes bytes on without
 * looking at them. Read sizes and water marks are those of the proxy, so that what differs is what
 * the proxy does.
 */
final class RelayMain {

  private static final int SMALLEST_READ_BYTES = 1024;
  private static final int FIRST_READ_BYTES = 16 * 1024;
  private static final int LARGEST_READ_BYTES = 256 * 1024;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

  private RelayMain() {}

  /** Listens on the port of the first argument and passes on to that of the second. */
  public static void main(String[] arguments) throws InterruptedException {
    int listen = Integer.parseInt(arguments[0]);
    int upstream = Integer.parseInt(arguments[1]);
    var loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    new ServerBootstrap()
        .group(loop)
        .channel(EpollServerSocketChannel.class)
        .childOption(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel client) {
                join(client, upstream);
              }
            })
        .bind(InetAddress.getLoopbackAddress(), listen)
        .sync()
        .channel()
        .closeFuture()
        .sync();
  }

  private static void join(SocketChannel client, int upstream) {
    new Bootstrap()
        .group(client.eventLoop())
        .channel(EpollSocketChannel.class)
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(InetAddress.getLoopbackAddress(), upstream)
        .addListener(
            (ChannelFuture connected) -> {
              if (!connected.isSuccess()) {
                client.close();
                return;
              }
              var broker = connected.channel();
              broker.pipeline().addLast(new RelayHandler(client));
              client.pipeline().addLast(new RelayHandler(broker));
              broker.config().setAutoRead(true);
              client.config().setAutoRead(true);
            });
  }

  private static AdaptiveRecvByteBufAllocator readSizes() {
    return new AdaptiveRecvByteBufAllocator(
        SMALLEST_READ_BYTES, FIRST_READ_BYTES, LARGEST_READ_BYTES);
  }
}
