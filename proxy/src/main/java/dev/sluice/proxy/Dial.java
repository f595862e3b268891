package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
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

  private final Transport transport;
  private final int connectTimeoutMillis;
  private final EventLoop loop;
  private final Queue<Endpoint> endpoints;
  private final Queue<InetSocketAddress> addresses = new ArrayDeque<>();
  private final StringJoiner failures = new StringJoiner("; ");
  private final Promise<Channel> promise;

  private Dial(Transport transport, NetworkSpec network, EventLoop loop, List<Endpoint> endpoints) {
    this.transport = transport;
    this.connectTimeoutMillis =
        Math.clamp(network.connectTimeout().toMillis(), 1, Integer.MAX_VALUE);
    this.loop = loop;
    this.endpoints = new ArrayDeque<>(endpoints);
    this.promise = loop.newPromise();
  }

  /**
   * Begins an attempt.
   *
   * @param endpoints in the order of trying, not empty
   * @return a connected channel without handlers that does not read until told to; fails with a
   *     {@link ConnectException} that names every address tried
   */
  static Future<Channel> to(
      List<Endpoint> endpoints, EventLoop loop, Transport transport, NetworkSpec network) {
    var dial = new Dial(transport, network, loop, endpoints);
    dial.next();
    return dial.promise;
  }

  private void next() {
    var address = addresses.poll();
    if (address != null) {
      connect(address);
      return;
    }
    var endpoint = endpoints.poll();
    if (endpoint == null) {
      promise.setFailure(new ConnectException(failures.toString()));
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
                  addresses.add(new InetSocketAddress(address, endpoint.port()));
                }
              } else {
                failures.add(endpoint + ": no such host");
              }
              next();
            });
  }

  private void connect(InetSocketAddress address) {
    new Bootstrap()
        .group(loop)
        .channel(transport.socket())
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis)
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.RECVBUF_ALLOCATOR, ListeningSockets.readSizes())
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, ListeningSockets.waterMark())
        .handler(new ChannelInboundHandlerAdapter())
        .connect(address)
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                promise.setSuccess(connected.channel());
              } else {
                failures.add(connected.cause().getMessage());
                next();
              }
            });
  }
}
