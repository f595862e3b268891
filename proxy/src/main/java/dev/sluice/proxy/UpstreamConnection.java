package dev.sluice.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;

/** One connection to a broker, who reads it, and how it ends. */
record UpstreamConnection(SocketChannel channel, ResponseHandler responses, Farewell farewell) {

  /** Puts a connected channel behind a client's connection. */
  static UpstreamConnection serving(ClientConnection connection, SocketChannel channel) {
    var generation = connection.generation();
    var responses = new ResponseHandler(connection, generation);
    channel.pipeline().addLast(responses);
    return new UpstreamConnection(
        channel,
        responses,
        new Farewell(channel, generation.idleTimeout(), connection.parting()::leaveIfOver));
  }

  /** Closes it politely, for another one serves the client. What it still answers is not heard. */
  void leave() {
    channel.pipeline().replace(responses, null, new Unheard(farewell));
    farewell.close();
  }

  private static final class Unheard extends ChannelInboundHandlerAdapter {
    private final Farewell farewell;

    Unheard(Farewell farewell) {
      this.farewell = farewell;
    }

    @Override
    public void channelRead(ChannelHandlerContext channel, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext channel, Object event) {
      if (Handshakes.isEnd(event)) {
        farewell.peerEnded();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
      channel.close(); // A reset: the broker was told the end while it was still answering.
    }
  }
}
