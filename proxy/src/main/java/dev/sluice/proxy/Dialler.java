package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.List;

/** Reaches brokers in the way of one generation. Safe for use from every thread. */
final class Dialler {

  private final Engine engine;
  private volatile Encryption encryption = Encryption.NONE;

  Dialler(Engine engine) {
    this.engine = engine;
  }

  /** Speaks like this, from before the first connection on. */
  void speak(Encryption way) {
    encryption = way;
  }

  /** As {@link Dial#to}. */
  Future<Channel> to(List<Endpoint> endpoints, EventLoop loop) {
    return Dial.to(endpoints, loop, engine, encryption);
  }
}
