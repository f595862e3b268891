package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.StringJoiner;

/**
 * One attempt to reach a broker: address after address, each within the connect time-out, until one
 * answers. Runs on the event loop that the connection will live on.
 */
final class Dial {

  /** An address of an endpoint. */
  private record Place(Endpoint endpoint, InetSocketAddress address) {}

  /** Who reads a connection is said when it is made; this leaves the pipeline by itself. */
  private static final ChannelHandler NOTHING_YET =
      new ChannelInitializer<SocketChannel>() {
        @Override
        protected void initChannel(SocketChannel channel) {}
      };

  private final Dialler way;
  private final Engine engine;
  private final Encryption encryption;
  private final int connectTimeoutMillis;
  private final EventLoop loop;
  private final Queue<Endpoint> endpoints;
  private final Queue<Place> places = new ArrayDeque<>();
  private final StringJoiner failures = new StringJoiner("; ");
  private final Promise<Channel> promise;

  /** Whether somebody was reached with whom TLS could not be agreed upon. */
  private boolean distrusted;

  private Dial(Dialler way, EventLoop loop, List<Endpoint> endpoints) {
    this.way = way;
    this.engine = way.engine();
    this.encryption = way.encryption();
    this.connectTimeoutMillis =
        Math.clamp(engine.network().connectTimeout().toMillis(), 1, Integer.MAX_VALUE);
    this.loop = loop;
    this.endpoints = new ArrayDeque<>(endpoints);
    this.promise = loop.newPromise();
  }

  /**
   * Begins an attempt.
   *
   * @param endpoints in the order of trying, not empty
   * @return a connected channel without handlers that does not read until told to; fails with a
   *     {@link ConnectException} that names every address tried, which is a {@link
   *     DistrustException} if TLS was in the way somewhere
   */
  static Future<Channel> to(List<Endpoint> endpoints, EventLoop loop, Dialler way) {
    var dial = new Dial(way, loop, endpoints);
    dial.next();
    return dial.promise;
  }

  private void next() {
    var place = places.poll();
    if (place != null) {
      connect(place);
      return;
    }
    var endpoint = endpoints.poll();
    if (endpoint == null) {
      promise.setFailure(
          distrusted
              ? new DistrustException(failures.toString())
              : new ConnectException(failures.toString()));
      return;
    }
    resolve(endpoint);
  }

  private void resolve(Endpoint endpoint) {
    Resolver.resolve(endpoint.host(), loop)
        .addListener(
            (Future<List<InetAddress>> resolved) -> {
              if (resolved.isSuccess()) {
                for (var address : resolved.getNow()) {
                  places.add(new Place(endpoint, new InetSocketAddress(address, endpoint.port())));
                }
              } else {
                failures.add(endpoint + ": no such host");
              }
              next();
            });
  }

  private void connect(Place place) {
    new Bootstrap()
        .group(loop)
        .channel(engine.transport().socket())
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis)
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.RECVBUF_ALLOCATOR, Sockets.readSizes())
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, Sockets.waterMark())
        .handler(NOTHING_YET)
        .connect(place.address())
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                agree(place, (SocketChannel) connected.channel());
              } else {
                if (connected.cause() instanceof ConnectTimeoutException) {
                  way.reached(Limit.CONNECT);
                }
                failures.add(connected.cause().getMessage());
                next();
              }
            });
  }

  /** Agrees upon TLS, where it is spoken. */
  private void agree(Place place, SocketChannel channel) {
    encryption.speakWith(channel, place.endpoint(), engine);
    var tls = Handshakes.of(channel);
    if (tls == null) {
      promise.setSuccess(channel);
      return;
    }
    var silent = new Silent();
    channel.pipeline().addLast(silent);
    channel.config().setAutoRead(true);
    tls.handshakeFuture()
        .addListener(
            agreed -> {
              if (agreed.isSuccess()) {
                channel.config().setAutoRead(false);
                channel.pipeline().remove(silent);
                promise.setSuccess(channel);
              } else {
                distrusted = true;
                if (agreed.cause() instanceof SslHandshakeTimeoutException) {
                  way.reached(Limit.TLS_HANDSHAKE);
                }
                failures.add(place.endpoint() + ": " + Handshakes.inWords(agreed.cause()));
                channel.close();
                next();
              }
            });
  }

  /** What fails in a handshake is told by its future. */
  private static final class Silent extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
      channel.close();
    }
  }
}
