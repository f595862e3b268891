package dev.sluice.proxy;

import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.StandardSocketOptions;

/**
 * How sockets are driven.
 *
 * @param name as shown to people
 * @param ioHandler makes what an event loop polls with
 * @param serverSocket the class of listening sockets
 * @param socket the class of connections
 * @param reusePort lets sockets of one user share a port (socket(7), SO_REUSEPORT)
 */
record Transport(
    String name,
    IoHandlerFactory ioHandler,
    Class<? extends ServerSocketChannel> serverSocket,
    Class<? extends SocketChannel> socket,
    ChannelOption<Boolean> reusePort) {

  /** Native epoll where it is there, else NIO. */
  static Transport best() {
    return Epoll.isAvailable()
        ? new Transport(
            "epoll",
            new SteadyEpoll(),
            EpollServerSocketChannel.class,
            EpollSocketChannel.class,
            EpollChannelOption.SO_REUSEPORT)
        : new Transport(
            "nio",
            NioIoHandler.newFactory(),
            NioServerSocketChannel.class,
            NioSocketChannel.class,
            NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT));
  }
}
