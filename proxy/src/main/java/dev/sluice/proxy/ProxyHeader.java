package dev.sluice.proxy;

import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ProtocolDetectionState;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the header of the PROXY protocol (version 1 or 2) with which a load balancer says for whom
 * a connection is, and then leaves the connection alone.
 */
final class ProxyHeader extends ByteToMessageDecoder {

  private final ProxyProtocol mode;
  private final Consumer<InetSocketAddress> from;
  private final Consumer<String> refused;

  private ProxyHeader(
      ProxyProtocol mode, Consumer<InetSocketAddress> from, Consumer<String> refused) {
    this.mode = mode;
    this.from = from;
    this.refused = refused;
  }

  /**
   * Puts it behind what is in the pipeline, where there may be a header.
   *
   * @param from is told whom the connection is for; of a connection of the load balancer's own
   *     nobody is told
   * @param refused is told in a sentence what is wrong; nothing is read any more
   */
  static void read(
      SocketChannel client,
      ProxyProtocol mode,
      Consumer<InetSocketAddress> from,
      Consumer<String> refused) {
    if (mode != ProxyProtocol.DISABLED) {
      client.pipeline().addLast(new ProxyHeader(mode, from, refused));
    }
  }

  @Override
  protected void decode(ChannelHandlerContext channel, ByteBuf in, List<Object> out) {
    var state = HAProxyMessageDecoder.detectProtocol(in).state();
    if (state == ProtocolDetectionState.DETECTED) {
      var name = channel.name();
      channel.pipeline().addAfter(name, "proxy-header-message", new Message());
      channel.pipeline().addAfter(name, "proxy-header-decoder", new HAProxyMessageDecoder());
      channel.pipeline().remove(this);
    } else if (state == ProtocolDetectionState.INVALID) {
      if (mode == ProxyProtocol.ALLOWED) {
        channel.pipeline().remove(this);
      } else {
        in.skipBytes(in.readableBytes());
        refused.accept(
            "expected a header of the PROXY protocol, found other bytes; only a load balancer that"
                + " sends one may connect here (proxyProtocol is required)");
      }
    }
  }

  /** What the header says. */
  private final class Message extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext channel, Object message) {
      if (!(message instanceof HAProxyMessage header)) {
        channel.fireChannelRead(message);
        return;
      }
      try {
        tell(header);
      } finally {
        header.release();
      }
      channel.pipeline().remove(this);
    }

    private void tell(HAProxyMessage header) {
      var family = header.proxiedProtocol().addressFamily();
      boolean known = family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6;
      if (header.command() == HAProxyCommand.PROXY && known) {
        var address = InetAddress.ofLiteral(header.sourceAddress());
        from.accept(new InetSocketAddress(address, header.sourcePort()));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
      if (failure instanceof HAProxyProtocolException) {
        refused.accept("expected a header of the PROXY protocol, found a broken one");
      } else {
        channel.fireExceptionCaught(failure);
      }
    }
  }
}
