package dev.sluice.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.Objects;

/** How a door listens: on a socket of its own, or on one that others share. */
interface Listening {

  /** Whether clients are accepted; those that are not wait in the kernel. */
  void accept(boolean accept);

  /** Listens no more. */
  Future<?> close();

  /** Sets an option of the socket, if that is nobody else's and open. */
  default void set(ChannelOption<Boolean> option, boolean value) {}

  /** Whether nobody is accepted for a moment, since somebody could not be. */
  boolean isPausing();

  /** The loop on which clients are accepted. */
  EventLoop accepting();

  /** Who says whether a listening socket accepts. */
  static Acceptance acceptance(Channel socket) {
    return Objects.requireNonNull(socket.pipeline().get(Acceptance.class));
  }

  /** A socket of its own. */
  static Listening alone(Channel socket) {
    var acceptance = acceptance(socket);
    return new Listening() {
      @Override
      public void accept(boolean accept) {
        acceptance.want(accept);
      }

      @Override
      public boolean isPausing() {
        return acceptance.isPausing();
      }

      @Override
      public void set(ChannelOption<Boolean> option, boolean value) {
        if (socket.isOpen()) {
          socket.config().setOption(option, value);
        }
      }

      @Override
      public Future<?> close() {
        return socket.close();
      }

      @Override
      public EventLoop accepting() {
        return socket.eventLoop();
      }
    };
  }
}
