package dev.sluice.proxy;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Fails as it is told, so many times; then there is memory again. */
final class FailingAllocator extends AbstractByteBufAllocator {

  private final Supplier<Error> failure;
  private final AtomicInteger left;

  FailingAllocator(int times, Supplier<Error> failure) {
    this.failure = failure;
    this.left = new AtomicInteger(times);
  }

  /** From now on the only client's connection has this one. */
  void failFor(ProxyUnderTest proxy) throws InterruptedException, ExecutionException {
    var client = proxy.onlyClient();
    client.eventLoop().submit(() -> client.config().setAllocator(this)).get();
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    failIfItIsTime();
    return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    failIfItIsTime();
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
  }

  private void failIfItIsTime() {
    if (left.getAndDecrement() > 0) {
      throw failure.get();
    }
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
