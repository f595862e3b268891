package dev.sluice.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;

/**
 * Says the end to a client that waited and will not be served. What it has sent is read and
 * forgotten: closing over unread bytes would reset the connection.
 */
final class LetGo extends ChannelInboundHandlerAdapter {

  private final Farewell farewell;

  private LetGo(Farewell farewell) {
    this.farewell = farewell;
  }

  /** On the event loop of the client; always done. */
  static boolean say(Arrival client) {
    say(client.client());
    return true;
  }

  /** The same to somebody who was not at a door yet. */
  static void say(SocketChannel client) {
    var farewell = new Farewell(client, Duration.ofSeconds(Farewell.LINGER_SECONDS), () -> {});
    client.pipeline().addLast(new LetGo(farewell));
    farewell.close();
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
    channel.close();
  }
}
