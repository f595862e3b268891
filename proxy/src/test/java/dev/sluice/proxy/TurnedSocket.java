package dev.sluice.proxy;

import io.netty.channel.socket.DefaultServerSocketChannelConfig;
import io.netty.channel.socket.ServerSocketChannelConfig;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket that is never bound. While accepting is being turned off another thread has
 * its say, as far as it comes.
 */
final class TurnedSocket extends NioServerSocketChannel {

  private final Config config = new Config(this);
  private @Nullable Runnable say;
  private @Nullable Thread other;

  /** What the other thread says. */
  void whenTurnedOff(Runnable says) {
    say = says;
  }

  /** It has said all. */
  void joinOther() throws InterruptedException {
    Objects.requireNonNull(other).join();
  }

  /** Of one that was never registered. */
  void end() throws IOException {
    javaChannel().close();
  }

  @Override
  public ServerSocketChannelConfig config() {
    return config;
  }

  private java.net.ServerSocket underneath() {
    return javaChannel().socket();
  }

  /** Until the other thread is through, or waits for this one. */
  private void letOtherSay() {
    var saying = Thread.ofPlatform().daemon().start(Objects.requireNonNull(say));
    other = saying;
    while (saying.isAlive() && saying.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
  }

  private static final class Config extends DefaultServerSocketChannelConfig {
    private final TurnedSocket socket;
    private volatile boolean accepting = true;

    private Config(TurnedSocket socket) {
      super(socket, socket.underneath());
      this.socket = socket;
    }

    @Override
    public boolean isAutoRead() {
      return accepting;
    }

    @Override
    public ServerSocketChannelConfig setAutoRead(boolean autoRead) {
      if (!autoRead) {
        socket.letOtherSay();
      }
      accepting = autoRead;
      return this;
    }
  }
}
