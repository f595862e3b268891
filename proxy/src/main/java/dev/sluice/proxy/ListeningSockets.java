package dev.sluice.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/**
 * The sockets that a virtual cluster listens on. Bound, they accept nobody until {@link #admit}:
 * who arrives before waits in the kernel's backlog.
 */
final class ListeningSockets {

  /** What one read of a socket takes at first, and at most, in bytes. */
  static final int FIRST_READ_BYTES = 16 * 1024;

  static final int LARGEST_READ_BYTES = 256 * 1024;

  /** Connections that wait in the kernel to be accepted. */
  private static final int BACKLOG = 1024;

  /** When more than this waits to be written the other side is not read, in bytes. */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

  /** Takes in a client that has arrived. On the event loop of the client. */
  interface Doorkeeper {
    /**
     * A client is here.
     *
     * @param node whose port it came to; empty is the bootstrap port
     */
    void arrived(SocketChannel client, NodePorts ports, OptionalInt node);
  }

  private final Engine engine;
  private final Doorkeeper doorkeeper;
  private final ChannelGroup channels;

  private ListeningSockets(Engine engine, Doorkeeper doorkeeper) {
    this.engine = engine;
    this.doorkeeper = doorkeeper;
    this.channels = new DefaultChannelGroup("listening", engine.control());
  }

  /** Listens on every port of the gateways, or, failing with {@link RefusedPorts}, on none. */
  static Future<ListeningSockets> bind(
      List<NodePorts> gateways, Engine engine, Doorkeeper doorkeeper) {
    var sockets = new ListeningSockets(engine, doorkeeper);
    Promise<ListeningSockets> bound = engine.control().newPromise();
    Promise<Void> attempts = engine.control().newPromise();
    List<RefusedPorts.Refused> refused = Collections.synchronizedList(new ArrayList<>());
    var all = new PromiseCombiner(engine.control());
    for (var gateway : gateways) {
      all.add(sockets.bind(gateway, refused));
    }
    all.finish(attempts);
    attempts.addListener(
        (Future<Void> done) -> {
          if (done.isSuccess() && refused.isEmpty()) {
            bound.setSuccess(sockets);
          } else {
            var failure = done.isSuccess() ? new RefusedPorts(refused) : done.cause();
            sockets.close().addListener(_ -> bound.setFailure(failure));
          }
        });
    return bound;
  }

  private Future<Void> bind(NodePorts gateway, List<RefusedPorts.Refused> refused) {
    Promise<Void> done = engine.control().newPromise();
    var bindAddress = gateway.bindAddress();
    if (bindAddress.isEmpty()) {
      bind(gateway, null, refused, done);
      return done;
    }
    Resolver.resolve(bindAddress.get(), engine.control())
        .addListener(
            (Future<List<InetAddress>> resolved) -> {
              if (resolved.isSuccess()) {
                bind(gateway, resolved.getNow().getFirst(), refused, done);
              } else {
                done.setFailure(unresolvable(gateway, bindAddress.get()));
              }
            });
    return done;
  }

  private static SetUpException unresolvable(NodePorts gateway, String bindAddress) {
    return new SetUpException(
        "bind-failed",
        "expected an address of this machine as bindAddress of "
            + gateway
            + ", found "
            + bindAddress
            + ", which does not resolve; correct it and retry");
  }

  private void bind(
      NodePorts gateway,
      @org.jspecify.annotations.Nullable InetAddress address,
      List<RefusedPorts.Refused> refused,
      Promise<Void> done) {
    var attempts = new ArrayList<Future<?>>();
    gateway
        .ports()
        .forEach(
            (port, node) -> {
              Promise<Void> attempt = engine.control().newPromise();
              attempts.add(attempt);
              bootstrap(gateway, node)
                  .bind(
                      address == null
                          ? new InetSocketAddress(port)
                          : new InetSocketAddress(address, port))
                  .addListener(
                      (ChannelFuture bound) -> {
                        if (bound.isSuccess()) {
                          channels.add(bound.channel());
                        } else {
                          refused.add(
                              new RefusedPorts.Refused(
                                  port, purpose(gateway, node), bound.cause()));
                        }
                        attempt.setSuccess(null);
                      });
            });
    var all = new PromiseCombiner(engine.control());
    for (var attempt : attempts) {
      all.add(attempt);
    }
    all.finish(done);
  }

  private ServerBootstrap bootstrap(NodePorts gateway, OptionalInt node) {
    return new ServerBootstrap()
        .group(engine.loops())
        .channel(engine.transport().serverSocket())
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel client) {
                doorkeeper.arrived(client, gateway, node);
              }
            });
  }

  /** What every connection, of a client or to a broker, reads by. */
  static AdaptiveRecvByteBufAllocator readSizes() {
    return new AdaptiveRecvByteBufAllocator(1024, FIRST_READ_BYTES, LARGEST_READ_BYTES);
  }

  static WriteBufferWaterMark waterMark() {
    return WATER_MARK;
  }

  private static String purpose(NodePorts gateway, OptionalInt node) {
    return (node.isPresent() ? "node " + node.getAsInt() : "bootstrap") + " of " + gateway;
  }

  /** From now on who arrives, or has waited, is taken in. */
  void admit() {
    accept(true);
  }

  /** From now on who arrives waits. */
  void hold() {
    accept(false);
  }

  private void accept(boolean accept) {
    for (Channel channel : channels) {
      channel.config().setAutoRead(accept);
    }
  }

  /** Listens no more; who waits is refused. */
  Future<?> close() {
    return channels.close();
  }
}
