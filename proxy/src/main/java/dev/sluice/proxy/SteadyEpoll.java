package dev.sluice.proxy;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Native epoll that keeps a socket registered while nothing is wanted of it.
 *
 * <p>Netty 4.2.13 to 4.2.20 take a socket out of the epoll set when no event of it is wanted, and
 * fail (ENOENT) when some is again. That is the life of every connection that is paused while its
 * peer says its end: the connection was cut when it was resumed. An error is always reported,
 * wanted or not, so wanting errors in place of nothing changes nothing else.
 */
final class SteadyEpoll implements IoHandlerFactory {

  private final IoHandlerFactory epoll = EpollIoHandler.newFactory();

  @Override
  public IoHandler newHandler(ThreadAwareExecutor executor) {
    return new Steady(epoll.newHandler(executor));
  }

  @Override
  public boolean isChangingThreadSupported() {
    return epoll.isChangingThreadSupported();
  }

  private record Steady(IoHandler epoll) implements IoHandler {

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
      return new Kept(epoll.register(handle));
    }

    @Override
    public void initialize() {
      epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext turn) {
      return epoll.run(turn);
    }

    @Override
    public void prepareToDestroy() {
      epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
      epoll.destroy();
    }

    @Override
    public void wakeup() {
      epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
      return epoll.isCompatible(handleType);
    }
  }

  private record Kept(IoRegistration registration) implements IoRegistration {

    @Override
    public long submit(IoOps wanted) {
      return registration.submit(
          wanted instanceof EpollIoOps some && some.value() == 0 ? EpollIoOps.EPOLLERR : wanted);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature.
    public <T> T attachment() {
      return registration.attachment();
    }

    @Override
    public boolean isValid() {
      return registration.isValid();
    }

    @Override
    public boolean cancel() {
      return registration.cancel();
    }
  }
}
