package dev.sluice.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what comes of a client that is held. It is not read, but epoll reads out nevertheless what
 * a client has sent that says its end, and tells that end once: whoever takes the client in has to
 * hear of both. What is kept is at most what the kernel had received.
 */
final class HeldHandler extends ChannelInboundHandlerAdapter {

  private final Queue<Object> read = new ArrayDeque<>();
  private @Nullable Object end;

  private HeldHandler() {}

  /** From now on it is held, or still is. On its event loop. */
  static void hold(SocketChannel client) {
    if (client.pipeline().get(HeldHandler.class) == null) {
      client.pipeline().addLast(new HeldHandler());
    }
  }

  /** Somebody has taken it in. On its event loop. */
  static void handOn(SocketChannel client) {
    if (client.pipeline().get(HeldHandler.class) != null) {
      client.pipeline().remove(HeldHandler.class);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    read.add(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    // Told when it is handed on.
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (Handshakes.isEnd(event)) {
      end = event;
    } else {
      channel.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
    channel.close(); // It is gone, and nobody waits for it.
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    read.forEach(ReferenceCountUtil::release);
    read.clear();
    channel.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext channel) {
    boolean hasRead = !read.isEmpty();
    for (var message = read.poll(); message != null; message = read.poll()) {
      channel.fireChannelRead(message);
    }
    if (hasRead) {
      channel.fireChannelReadComplete();
    }
    if (end != null) {
      channel.fireUserEventTriggered(end);
    }
  }
}
