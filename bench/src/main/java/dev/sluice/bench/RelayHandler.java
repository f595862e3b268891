package dev.sluice.bench;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Passes what is read on to the other side; while that cannot take more, nothing is read. */
final class RelayHandler extends ChannelInboundHandlerAdapter {

  private final Channel peer;

  RelayHandler(Channel peer) {
    this.peer = peer;
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object bytes) {
    peer.write(bytes, peer.voidPromise());
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    peer.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    peer.config().setAutoRead(channel.channel().isWritable());
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    peer.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
    channel.close();
  }
}
