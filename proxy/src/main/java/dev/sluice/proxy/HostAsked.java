package dev.sluice.proxy;

import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads of a client on a shared port which host it asks for (RFC 6066), and leads it to the door.
 * What was read is handed on untouched to whoever takes the client in; until then no more is read.
 */
final class HostAsked extends AbstractSniHandler<Void> {

  private static final Logger LOG = LoggerFactory.getLogger(HostAsked.class);

  /** A fatal alert, {@code unrecognized_name}, as a record of its own (RFC 5246, 7.2). */
  private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

  private static final int LONGEST_SHOWN = 255;

  private final SocketChannel client;
  private final SharedPort port;
  private final Promise<Void> entered;
  private InetSocketAddress from;

  /** Whether it is decided what becomes of the client. */
  private boolean led;

  private HostAsked(SocketChannel client, SharedPort port) {
    super(0);
    this.client = client;
    this.port = port;
    this.entered = client.eventLoop().newPromise();
    this.from = Arrival.addressOf(client);
  }

  /** Begins with a client of whom nothing was read. */
  static void read(SocketChannel client, ProxyProtocol mode, SharedPort port, Duration limit) {
    var asked = new HostAsked(client, port);
    ProxyHeader.read(
        client, mode, who -> asked.from = who, why -> asked.refuse(Unled.BAD_PROXY_HEADER, why));
    client.pipeline().addLast(asked).addLast(asked.new Failures());
    var timer =
        client
            .eventLoop()
            .schedule(() -> asked.tooSlow(limit), limit.toMillis(), TimeUnit.MILLISECONDS);
    asked.entered.addListener(_ -> timer.cancel(false));
    client.closeFuture().addListener(_ -> timer.cancel(false));
  }

  private void tooSlow(Duration limit) {
    if (!led) {
      led = true;
      closed(
          Unled.TOO_SLOW,
          "it did not say within tlsHandshakeTimeout of %d ms for which host it came"
              .formatted(limit.toMillis()));
      client.close();
    }
  }

  @Override
  protected Future<Void> lookup(ChannelHandlerContext channel, @Nullable ByteBuf hello)
      throws Exception {
    if (hello != null) {
      return super.lookup(channel, hello);
    }
    client.pipeline().remove(Failures.class);
    refuse(Unled.BAD_HANDSHAKE, Handshakes.inWords(new NotSslRecordException()));
    entered.trySuccess(null);
    return entered;
  }

  @Override
  protected Future<Void> lookup(ChannelHandlerContext channel, @Nullable String name) {
    led = true;
    var found = name == null ? null : port.led(name).orElse(null);
    client.pipeline().remove(Failures.class);
    if (found != null) {
      lead(found.door(), found.node());
    } else if (name != null && port.isKnown(name)) {
      // It is configured, and stopped or failed: clients come again when they are just left.
      port.nobodyThere();
      lead(null, OptionalInt.empty());
    } else {
      refuseUnknown(name);
    }
    return entered;
  }

  private void lead(@Nullable Door door, OptionalInt node) {
    var arrival = new Arrival(client, from, node, () -> entered.trySuccess(null));
    if (door == null) {
      LetGo.say(arrival);
      arrival.entering().run();
    } else {
      door.accepted();
      door.arrived(arrival);
    }
  }

  @Override
  protected void onLookupComplete(
      ChannelHandlerContext channel, @Nullable String name, Future<Void> done) {
    channel.pipeline().remove(this);
  }

  // ---- who is led nowhere --------------------------------------------------------------------

  private void refuseUnknown(@Nullable String name) {
    port.unled(name == null ? Unled.NO_HOST : Unled.UNKNOWN_HOST)
        .ifPresent(
            leftOut ->
                SparseLog.after(leftOut, LOG.atWarn())
                    .addKeyValue("client", from)
                    .addKeyValue("port", port.at().getPort())
                    .log(
                        "Refused a client that asked for {}; known there are {}",
                        name == null ? "no host name" : "host '" + shown(name) + "'",
                        Listed.of(port.names())));
    client.writeAndFlush(Unpooled.wrappedBuffer(UNRECOGNIZED_NAME));
    LetGo.say(client);
    entered.trySuccess(null);
  }

  /** It comes from outside: nothing of it is to look like another line of the log. */
  private static String shown(String name) {
    var plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]", "?");
    return plain.substring(0, Math.min(plain.length(), LONGEST_SHOWN));
  }

  private void refuse(Unled reason, String why) {
    if (!led) {
      led = true;
      closed(reason, why);
      LetGo.say(client);
    }
  }

  private void closed(Unled reason, String why) {
    port.unled(reason)
        .ifPresent(
            leftOut ->
                SparseLog.after(leftOut, LOG.atWarn())
                    .addKeyValue("client", from)
                    .addKeyValue("port", port.at().getPort())
                    .log("Closed a connection: {}", why));
  }

  /** What speaks no TLS at all. */
  private final class Failures extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext channel, Object event) {
      if (Handshakes.isEnd(event)) {
        channel.close(); // It has left before it has said anything.
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
      refuse(Unled.BAD_HANDSHAKE, Handshakes.inWords(Handshakes.cause(failure)));
      channel.close();
    }
  }
}
