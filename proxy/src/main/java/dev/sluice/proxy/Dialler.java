package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.function.Consumer;

/** Reaches brokers in the way of one generation. Safe for use from every thread. */
final class Dialler {

  private final Engine engine;
  private final Consumer<Limit> limits;
  private volatile Encryption encryption = Encryption.NONE;

  /**
   * @param limits hears which of them were reached
   */
  Dialler(Engine engine, Consumer<Limit> limits) {
    this.engine = engine;
    this.limits = limits;
  }

  Engine engine() {
    return engine;
  }

  Encryption encryption() {
    return encryption;
  }

  /** An attempt took as long as it may. */
  void reached(Limit limit) {
    limits.accept(limit);
  }

  /** Speaks like this, from before the first connection on. */
  void speak(Encryption way) {
    encryption = way;
  }

  /** As {@link Dial#to}. */
  Future<Channel> to(List<Endpoint> endpoints, EventLoop loop) {
    return Dial.to(endpoints, loop, this);
  }
}
